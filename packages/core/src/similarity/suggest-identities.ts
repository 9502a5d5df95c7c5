import type { Database } from '../database/database.ts';
import type { Candidate } from '../identities/candidate.ts';
import { leastCosine } from '../matching/calibrate-similarity.ts';
import { LEAST_SUGGESTION } from '../matching/decide-face.ts';
import { proposeIdentities, type MatchingDeps } from '../matching/propose-identities.ts';
import { areSameCandidates, compareCandidates } from '../matching/rank-candidates.ts';
import { type MatchStrategy, rankGallery, readGallery } from '../matching/read-gallery.ts';
import { readRejections } from '../matching/read-rejections.ts';
import type { FollowedFace } from '../groups/followed-faces.ts';
import type { NearFaces, OpenFaceVectors } from './open-face-vectors.ts';
import type { DueSpace } from './similarity-queue.ts';

/** The number of suggestions that are stored for an open face, so that enough remain when some end. */
export const STORED_SUGGESTIONS = 16;
/** The number of faces that are compared with the gallery by one search, so that searches of requests wait little. */
const FACES_PER_SEARCH = 8;

export interface SuggestDeps extends MatchingDeps {
  readonly database: Database;
  readonly openFaces: OpenFaceVectors;
}

export interface SuggestIn {
  readonly space: DueSpace;
  readonly strategy: MatchStrategy;
}

type Suggested = Map<number, readonly Candidate[]>;

/**
 * Finds the identities that are most similar to each of the faces, without those that the face was rejected from.
 *
 * @throws VectorsUnavailable, StoreUnavailable
 */
export async function suggestFor(
  deps: SuggestDeps,
  { space, strategy }: SuggestIn,
  faces: readonly FollowedFace[],
): Promise<Suggested> {
  const scope = { environmentId: space.environmentId };
  const suggested: Suggested = new Map();
  if (faces.length === 0) return suggested;
  const ids = faces.map(({ id }) => id);
  const rejected = await deps.database.withScope(scope, ({ gallery }) =>
    readRejections(gallery, ids),
  );
  for (let start = 0; start < faces.length; start += FACES_PER_SEARCH) {
    const some = faces.slice(start, start + FACES_PER_SEARCH);
    const most = Math.max(...some.map(({ id }) => rejected.get(id)?.size ?? 0));
    const proposals = await proposeIdentities(deps, {
      scope,
      model: modelOf(space),
      strategy,
      vectors: some.map(({ vector }) => vector),
      limit: STORED_SUGGESTIONS + most,
      evenIfBehind: true,
    });
    const gallery =
      proposals.identityIds.length === 0
        ? []
        : await deps.database.withScope(scope, (stores) => readGallery(stores.gallery, proposals));
    for (const { id, vector } of some) {
      const ranked = rankGallery(vector, gallery, proposals);
      suggested.set(id, suggestible(ranked, rejected.get(id)));
    }
  }
  return suggested;
}

/** Finds what is similar enough to each vector for a suggestion. @throws VectorsUnavailable */
export function findSuggestible(
  memory: Pick<OpenFaceVectors, 'above'>,
  space: DueSpace,
  vectors: readonly Float32Array[],
): Promise<readonly NearFaces[]> {
  return memory.above(space, vectors, leastCosine(LEAST_SUGGESTION, space.similarityCalibration));
}

/** The similarities of faces to identities that are new to them, by face and identity. */
export type Found = Map<number, Map<number, number>>;

export function keepHighest(
  similarities: Map<number, number>,
  identityId: number,
  similarity: number,
): void {
  similarities.set(identityId, Math.max(similarity, similarities.get(identityId) ?? -1));
}

/** Adds identities to what is stored for faces, and finds the faces whose suggestions change. */
export async function addSuggestions(
  { database }: Pick<SuggestDeps, 'database'>,
  { space, strategy }: SuggestIn,
  found: Found,
): Promise<Suggested> {
  if (found.size === 0) return new Map();
  const scope = { environmentId: space.environmentId };
  return database.withScope(scope, async ({ gallery }) => {
    const faces = [...found.keys()];
    const [stored, rejected] = await Promise.all([
      gallery.suggestions(space.modelId, faces),
      readRejections(gallery, faces),
    ]);
    const byFace = Map.groupBy(stored, ({ detectionId }) => detectionId);
    const suggested: Suggested = new Map();
    for (const [face, similarities] of found) {
      const before = byFace.get(face) ?? [];
      const merged = new Map(before.map((one) => [one.identityId, one.similarity]));
      for (const [identityId, similarity] of similarities) {
        if (strategy === 'average') merged.set(identityId, similarity);
        else keepHighest(merged, identityId, similarity);
      }
      const ranked = [...merged].map(([identityId, similarity]) => ({ identityId, similarity }));
      const after = suggestible(ranked.sort(compareCandidates), rejected.get(face));
      if (!areSameCandidates(before, after)) suggested.set(face, after);
    }
    return suggested;
  });
}

/** Chooses what is stored for a face from all identities, which descend by similarity. */
export function suggestible(
  ranked: readonly Candidate[],
  rejected: ReadonlySet<number> = new Set(),
): readonly Candidate[] {
  return ranked
    .filter((one) => one.similarity >= LEAST_SUGGESTION && !rejected.has(one.identityId))
    .slice(0, STORED_SUGGESTIONS);
}

function modelOf({ modelId, similarityCalibration }: DueSpace) {
  return { id: modelId, similarityCalibration };
}
