import { expect } from '@jest/globals';
import { NEIGHBORS } from '@sightline/core/groups/neighbor-list';
import type { MatchStrategy } from '@sightline/core/matching/read-gallery';
import { linkVectors } from '@sightline/core/similarity/testing/link-vectors';
import type { StoreFixture } from '../fixtures/store-fixture.ts';

/** The rows that are stored for an environment and a model, or that should be. */
export interface SimilaritySnapshot {
  /** For each open face, the suggested identities and their similarities. */
  readonly suggestions: Readonly<Record<number, Readonly<Record<number, number>>>>;
  /** For each stranger, its neighbors, nearest first. */
  readonly neighbors: Readonly<Record<number, readonly number[]>>;
  /** For each joining, the ids of the joined faces, and its cosine. */
  readonly joinings: Readonly<Record<string, number>>;
  readonly scores: Readonly<Record<number, readonly [number, number]>>;
}

interface FaceRow {
  readonly id: number;
  readonly identityId: number | null;
  readonly status: string;
  readonly isDismissed: boolean;
  readonly isReviewed: boolean;
  readonly vector: Float32Array;
  readonly isReference: boolean;
}

interface Subject {
  readonly environmentId: number;
  readonly modelId: number;
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, index) => sum + value * b[index]!, 0);
const asVector = (bytes: Buffer): Float32Array => new Float32Array(new Uint8Array(bytes).buffer);
const asNumbers = (bytes: Buffer): number[] => [...new Float64Array(new Uint8Array(bytes).buffer)];

/** Computes what should be stored, from the rows, by comparing everything with everything. */
export async function plainSimilarity(
  store: StoreFixture,
  { environmentId, modelId }: Subject,
  strategy: MatchStrategy,
): Promise<SimilaritySnapshot> {
  const rows = await store.query<Omit<FaceRow, 'vector'> & { vector: Buffer }>(
    `SELECT d.id, d.identity_id AS "identityId", d.review_status AS status,
            d.dismissed_at IS NOT NULL AS "isDismissed", d.mismatch_reviewed AS "isReviewed", v.vector,
            EXISTS (SELECT FROM face_references r WHERE r.detection_id = d.id AND r.model_id = $2) AS "isReference"
     FROM detections d JOIN face_vectors v ON v.detection_id = d.id AND v.model_id = $2
     WHERE d.environment_id = $1 ORDER BY d.id`,
    [environmentId, modelId],
  );
  const faces = rows.map((row): FaceRow => ({ ...row, vector: asVector(row.vector) }));
  const rejected = await store.query<{ face: number; identity: number }>(
    'SELECT detection_id AS face, identity_id AS identity FROM rejected_pairs WHERE environment_id = $1',
    [environmentId],
  );
  const references = faces.filter(({ isReference }) => isReference);
  const people = Map.groupBy(references, ({ identityId }) => identityId!);
  const open = faces.filter(({ status, isDismissed }) => status !== 'confirmed' && !isDismissed);

  const similarityOf = (face: FaceRow, own: readonly FaceRow[]): number => {
    if (strategy === 'best_match')
      return Math.max(...own.map(({ vector }) => dot(face.vector, vector)));
    const sum = sumOf(own);
    return dot(face.vector, sum) / Math.sqrt(dot(sum, sum));
  };
  const suggestions = Object.fromEntries(
    open.map((face) => [
      face.id,
      Object.fromEntries(
        [...people]
          .filter(([id]) => !rejected.some((pair) => pair.face === face.id && pair.identity === id))
          .map(([id, own]) => [id, similarityOf(face, own)] as const)
          .filter(([, similarity]) => similarity >= 0.2)
          .sort(([idA, a], [idB, b]) => b - a || idA - idB)
          .slice(0, 16),
      ),
    ]),
  );

  const strangers = open.filter(({ identityId }) => identityId === null);
  const neighbors = strangers.map((face) =>
    strangers
      .filter((other) => other !== face)
      .map((other) => ({ id: other.id, cosine: Math.min(1, dot(face.vector, other.vector)) }))
      .sort((a, b) => b.cosine - a.cosine || a.id - b.id)
      .slice(0, NEIGHBORS)
      .map(({ id }) => id),
  );
  const positions = new Map(strangers.map(({ id }, position) => [id, position]));
  const tree = linkVectors(
    strangers.map(({ vector }) => vector),
    neighbors.map((ids) => ids.map((id) => positions.get(id)!)),
  );

  const scores = faces.flatMap((face): [number, readonly [number, number]][] => {
    if (face.status !== 'confirmed' || face.isReviewed) return [];
    const others = (people.get(face.identityId!) ?? []).filter((other) => other !== face);
    if (others.length === 0) return [];
    const sum = sumOf(others);
    const similarity = dot(face.vector, sum) / Math.sqrt(dot(sum, sum));
    return [[face.id, [face.identityId!, similarity]]];
  });
  return {
    suggestions,
    neighbors: Object.fromEntries(strangers.map(({ id }, at) => [id, neighbors[at]!])),
    joinings: byFaces(
      strangers.map(({ id }) => id),
      tree,
    ),
    scores: Object.fromEntries(scores),
  };
}

function sumOf(faces: readonly FaceRow[]): Float64Array {
  const sum = new Float64Array(faces[0]!.vector.length);
  for (const { vector } of faces) for (const [at, value] of vector.entries()) sum[at]! += value;
  return sum;
}

/** The joinings by the faces that they join, because the same tree may list them in several orders. */
function byFaces(
  ids: readonly number[],
  { parts, cosines }: Record<'parts' | 'cosines', ArrayLike<number>>,
): Readonly<Record<string, number>> {
  const below = ids.map((id) => [id]);
  return Object.fromEntries(
    Array.from(cosines, (cosine, at) => {
      const joined = [...below[parts[2 * at]!]!, ...below[parts[2 * at + 1]!]!];
      below.push(joined);
      return [joined.toSorted((a, b) => a - b).join(' '), cosine];
    }),
  );
}

/** Replaces numbers that are not whole by matchers, because sums in another order round differently. */
export function nearly(value: unknown): unknown {
  if (typeof value === 'number') {
    return Number.isInteger(value) ? value : expect.closeTo(value, 5);
  }
  if (Array.isArray(value)) return value.map(nearly);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, nearly(part)]));
}

/** Reads what is stored. */
export async function storedSimilarity(
  store: StoreFixture,
  { environmentId, modelId }: Subject,
): Promise<SimilaritySnapshot> {
  const subject = [environmentId, modelId];
  const open = await store.query<{ id: number }>(
    `SELECT d.id FROM detections d JOIN face_vectors v ON v.detection_id = d.id AND v.model_id = $2
     WHERE d.environment_id = $1 AND d.review_status <> 'confirmed' AND d.dismissed_at IS NULL ORDER BY d.id`,
    subject,
  );
  const suggestions = await store.query<{ face: number; identity: number; similarity: number }>(
    `SELECT detection_id AS face, identity_id AS identity, similarity FROM suggestions
     WHERE environment_id = $1 AND model_id = $2 ORDER BY similarity DESC, identity_id`,
    subject,
  );
  const byFace = Map.groupBy(suggestions, ({ face }) => face);
  const neighbors = await store.query<{ face: number; ids: Buffer }>(
    `SELECT detection_id AS face, ids FROM face_neighbors
     WHERE environment_id = $1 AND model_id = $2 ORDER BY detection_id`,
    subject,
  );
  const [tree] = await store.query<{ faces: Buffer; parts: Buffer; cosines: Buffer }>(
    `SELECT faces, parts, cosines FROM group_trees
     WHERE environment_id = $1 AND model_id = $2 ORDER BY version DESC LIMIT 1`,
    subject,
  );
  const parts = tree === undefined ? [] : new Int32Array(new Uint8Array(tree.parts).buffer);
  const cosines = tree === undefined ? [] : asNumbers(tree.cosines);
  const scores = await store.query<{ face: number; identity: number; similarity: number }>(
    `SELECT detection_id AS face, identity_id AS identity, similarity FROM mismatch_scores
     WHERE environment_id = $1 AND model_id = $2 ORDER BY detection_id`,
    subject,
  );
  return {
    suggestions: Object.fromEntries([
      ...open.map(({ id }) => [id, {}]),
      ...[...byFace].map(([id, own]) => [
        id,
        Object.fromEntries(own.map(({ identity, similarity }) => [identity, similarity])),
      ]),
    ]),
    neighbors: Object.fromEntries(neighbors.map(({ face, ids }) => [face, asNumbers(ids)])),
    joinings: byFaces(tree === undefined ? [] : asNumbers(tree.faces), { parts, cosines }),
    scores: Object.fromEntries(
      scores.map(({ face, identity, similarity }) => [face, [identity, similarity]]),
    ),
  };
}
