import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';
import type { Sample } from './verification.ts';

export interface RankOne {
  readonly probes: number;
  /** The number of probes whose own person is the most similar one. */
  readonly right: number;
}

/**
 * Enrolls some photos of each person, and searches for the person of every other photo. This
 * repeats for each run of consecutive photos; the first photo follows the last one. The similarity
 * of a person is that of the closest enrolled photo, as with the service's strategy `best_match`. A
 * probe without a face is not recognized.
 *
 * @param samples the same number for each person, and more than `enrolled`
 * @param enrolled the number of enrolled photos per person
 * @param lookedUp the samples to look up in the place of those in `samples`, in the same order; for example of the same
 *   photos, turned
 */
export function measureRankOne(
  samples: readonly Sample[],
  enrolled: number,
  lookedUp: readonly Sample[] = samples,
): RankOne {
  const people = groupByPerson(samples);
  const probesByPerson = groupByPerson(lookedUp);
  const photos = people[0]!.length;
  let probes = 0;
  let right = 0;
  for (let first = 0; first < photos; first++) {
    const isEnrolled = (index: number) => (index - first + photos) % photos < enrolled;
    const gallery = people.flatMap((own) => own.filter((_, index) => isEnrolled(index)));
    const others = probesByPerson.flatMap((own) => own.filter((_, index) => !isEnrolled(index)));
    probes += others.length;
    right += others.filter((probe) => mostSimilar(probe, gallery) === probe.person).length;
  }
  return { probes, right };
}

function groupByPerson(samples: readonly Sample[]): Sample[][] {
  return [...Map.groupBy(samples, ({ person }) => person).values()];
}

function mostSimilar({ embedding }: Sample, gallery: readonly Sample[]): string | null {
  let best: { readonly person: string; readonly cosine: number } | null = null;
  if (embedding === null) return null;
  for (const { person, embedding: reference } of gallery) {
    if (reference === null) continue;
    const cosine = cosineSimilarity(embedding, reference);
    if (best === null || cosine > best.cosine) best = { person, cosine };
  }
  return best?.person ?? null;
}
