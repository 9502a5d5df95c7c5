import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';
import { randomNumbers, shuffle } from './reproducible-shuffle.ts';
import type { Sample } from './verification.ts';

export interface OpenSetOptions {
  /** The number of people who are enrolled, with one photo each. */
  readonly enrolled: number;
  /** The number of random choices of people and photos to average over. */
  readonly draws: number;
  readonly thresholds: readonly number[];
  /** Converts a cosine to the scale of the thresholds. The function must be monotonic. */
  readonly calibrate: (cosine: number) => number;
}

/**
 * The results at one threshold, as shares, 0..1. A face is assigned to the most similar person if
 * the similarity reaches the threshold.
 */
export interface OpenSetPoint {
  readonly threshold: number;
  /** The share of the other photos of enrolled people that are assigned to their person. */
  readonly identified: number;
  /** The share of these photos that are assigned to another person. */
  readonly wrong: number;
  /**
   * The share of people who are not enrolled, one photo each, that are assigned to any enrolled
   * person.
   */
  readonly accepted: number;
}

/** The most similar enrolled person of a photo. */
interface Match {
  readonly similarity: number;
  readonly isRight: boolean;
}

interface Matches {
  readonly known: readonly Match[];
  readonly strangers: readonly Match[];
}

/**
 * Measures identification in an open set: some people are enrolled with one photo each, and all others are
 * strangers. People and photos are drawn at random, but the same ones in every run. A photo without a face
 * matches no one.
 *
 * @param samples the photos of more people than are enrolled
 */
export function measureOpenSet(
  samples: readonly Sample[],
  { enrolled, draws, thresholds, calibrate }: OpenSetOptions,
): OpenSetPoint[] {
  const random = randomNumbers();
  const people = [...Map.groupBy(samples, ({ person }) => person).values()];
  const matches = Array.from({ length: draws }, () => draw(people, enrolled, random));
  const known = matches.flatMap((drawn) => drawn.known);
  const strangers = matches.flatMap((drawn) => drawn.strangers);
  return thresholds.map((threshold) => {
    const isAssigned = ({ similarity }: Match) => calibrate(similarity) >= threshold;
    return {
      threshold,
      identified: share(known, (match) => match.isRight && isAssigned(match)),
      wrong: share(known, (match) => !match.isRight && isAssigned(match)),
      accepted: share(strangers, isAssigned),
    };
  });
}

function draw(
  people: readonly (readonly Sample[])[],
  enrolled: number,
  random: () => number,
): Matches {
  const shuffled = shuffle(people, random).map((own) => shuffle(own, random));
  const gallery = shuffled.slice(0, enrolled).map(([photo]) => photo!);
  return {
    known: shuffled
      .slice(0, enrolled)
      .flatMap((own) => own.slice(1))
      .map((probe) => bestMatch(probe, gallery)),
    strangers: shuffled.slice(enrolled).map(([probe]) => bestMatch(probe!, gallery)),
  };
}

function bestMatch({ person, embedding }: Sample, gallery: readonly Sample[]): Match {
  let best: Match = { similarity: -Infinity, isRight: false };
  for (const reference of gallery) {
    if (embedding === null || reference.embedding === null) continue;
    const similarity = cosineSimilarity(embedding, reference.embedding);
    if (similarity > best.similarity) best = { similarity, isRight: reference.person === person };
  }
  return best;
}

function share(matches: readonly Match[], counts: (match: Match) => boolean): number {
  return matches.length === 0 ? 0 : matches.filter(counts).length / matches.length;
}
