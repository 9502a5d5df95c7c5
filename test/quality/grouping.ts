import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';
import { groupsOf, linkVectors } from '@sightline/core/similarity/testing/link-vectors';
import { randomNumbers, shuffle } from './reproducible-shuffle.ts';

/** Faces as positions; the faces in no group stand alone. */
export type Grouping = readonly (readonly number[])[];

/** Shares of pairs of faces, 0..1. */
export interface GroupingScore {
  /** The share of the pairs in one group that show one person. */
  readonly precision: number;
  /** The share of the pairs of one person that are in one group. */
  readonly recall: number;
  /** The harmonic mean of precision and recall. */
  readonly f: number;
}

/** A way to group faces at a similarity. */
export type GroupingMethod = (similarity: number) => Grouping;

/** Scores a grouping by all pairs of faces. */
export function scoreGrouping(people: readonly string[], grouping: Grouping): GroupingScore {
  const pairsOf = (counts: readonly number[]) =>
    counts.reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
  const countsOf = (members: Iterable<string>) =>
    [...Map.groupBy(members, (person) => person).values()].map(({ length }) => length);
  const together = pairsOf(grouping.map(({ length }) => length));
  const right = pairsOf(grouping.flatMap((group) => countsOf(group.map((face) => people[face]!))));
  const precision = together === 0 ? 1 : right / together;
  const recall = right / pairsOf(countsOf(people));
  return { precision, recall, f: (2 * precision * recall) / (precision + recall) || 0 };
}

/** Groups faces as the service does, with links to each face's nearest faces. */
export function serviceMethod(
  vectors: readonly Float32Array[],
  { nearest, calibrate }: { nearest: number; calibrate: (cosine: number) => number },
): GroupingMethod {
  const neighbors = vectors.map((vector, face) =>
    vectors
      .map((other, index) => ({ index, cosine: cosineSimilarity(vector, other) }))
      .filter(({ index }) => index !== face)
      .sort((a, b) => b.cosine - a.cosine || a.index - b.index)
      .slice(0, nearest)
      .map(({ index }) => index),
  );
  const tree = linkVectors(vectors, neighbors);
  const calibrated = { ...tree, cosines: tree.cosines.map(calibrate) };
  return (similarity) => groupsOf(calibrated, similarity);
}

/** The similarities of all pairs of faces. */
export type SimilarityOf = (face: number, other: number) => number;

/**
 * DBSCAN (Ester et al., 1996): faces with enough similar faces, and those that are similar to them, form the groups.
 *
 * @param least the number of similar faces, itself included, that make a face the core of a group
 */
export function dbscanMethod(
  count: number,
  similarityOf: SimilarityOf,
  least: number,
): GroupingMethod {
  return (similarity) => {
    const near = nearFaces(count, similarityOf, similarity);
    const isCore = (face: number) => near[face]!.length + 1 >= least;
    const reach = (first: number): Iterable<number> => {
      const reached = new Set([first]);
      // The loop also visits the faces that it adds.
      for (const face of reached) {
        if (isCore(face)) for (const other of near[face]!) reached.add(other);
      }
      return reached;
    };
    const groupOf = new Map<number, number>();
    for (const first of near.keys()) {
      if (groupOf.has(first) || !isCore(first)) continue;
      for (const face of reach(first)) if (!groupOf.has(face)) groupOf.set(face, first);
    }
    return labelled(Array.from({ length: count }, (_, face) => groupOf.get(face) ?? -1 - face));
  };
}

/**
 * Chinese Whispers (Biemann, 2006): each face takes, again and again, the label with the greatest sum of similarities
 * among the faces that are similar to it.
 */
export function whisperMethod(
  count: number,
  similarityOf: SimilarityOf,
  rounds: number,
): GroupingMethod {
  return (similarity) => {
    const near = nearFaces(count, similarityOf, similarity);
    const faces = Array.from({ length: count }, (_, face) => face);
    const labels = [...faces];
    const random = randomNumbers();
    for (let round = 0; round < rounds; round++) {
      for (const face of shuffle(faces, random)) {
        const weights = new Map<number, number>();
        for (const other of near[face]!) {
          const label = labels[other]!;
          weights.set(label, (weights.get(label) ?? 0) + similarityOf(face, other));
        }
        const [heaviest] = [...weights].sort(([a, x], [b, y]) => y - x || a - b);
        if (heaviest !== undefined) [labels[face]] = heaviest;
      }
    }
    return labelled(labels);
  };
}

function nearFaces(count: number, similarityOf: SimilarityOf, similarity: number): number[][] {
  const faces = Array.from({ length: count }, (_, face) => face);
  return faces.map((face) =>
    faces.filter((other) => other !== face && similarityOf(face, other) >= similarity),
  );
}

function labelled(labels: readonly number[]): Grouping {
  const groups = Map.groupBy(labels.keys(), (face) => labels[face]!);
  return [...groups.values()].filter(({ length }) => length > 1);
}
