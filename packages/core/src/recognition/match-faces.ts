import type { AnalyzedFace } from '../analysis/image-analyzer.ts';
import type { Database } from '../database/database.ts';
import type { NamedCandidate } from '../identities/candidate.ts';
import { proposeIdentities, type MatchingDeps } from '../matching/propose-identities.ts';
import { rankGallery, readGallery, type MatchStrategy } from '../matching/read-gallery.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import type { Scope } from '../store/scope.ts';

export interface MatchFacesDeps extends MatchingDeps {
  readonly database: Database;
}

export interface FacesToMatch {
  readonly scope: Scope;
  readonly model: RegisteredModel;
  readonly strategy: MatchStrategy;
  readonly faces: readonly Pick<AnalyzedFace, 'embedding'>[];
  /** The maximum number of candidates per face. */
  readonly limit: number;
}

/**
 * Finds the most similar identities for each face, most similar first, without a threshold. A face without an embedding
 * has no candidates.
 *
 * @throws VectorsUnavailable, StoreUnavailable
 */
export async function matchFaces(
  deps: MatchFacesDeps,
  query: FacesToMatch,
  signal?: AbortSignal,
): Promise<readonly (readonly NamedCandidate[])[]> {
  const { scope, model, strategy, faces, limit } = query;
  const vectors = faces.flatMap(({ embedding }) => embedding ?? []);
  const proposals = await proposeIdentities(
    deps,
    { scope, model, strategy, vectors, limit },
    signal,
  );
  if (proposals.identityIds.length === 0) return faces.map(() => []);
  return deps.database.withScope(
    scope,
    async (stores) => {
      const gallery = await readGallery(stores.gallery, proposals);
      const ranked = faces.map(({ embedding }) =>
        embedding === null ? [] : rankGallery(embedding, gallery, proposals).slice(0, limit),
      );
      const ids = new Set(ranked.flat().map(({ identityId }) => identityId));
      const identities = ids.size > 0 ? await stores.identities.byIds([...ids]) : [];
      const labels = new Map(identities.map(({ id, label }) => [id, label]));
      return ranked.map((candidates) =>
        candidates.flatMap((candidate) => {
          const label = labels.get(candidate.identityId);
          return label === undefined ? [] : [{ ...candidate, label }];
        }),
      );
    },
    signal,
  );
}
