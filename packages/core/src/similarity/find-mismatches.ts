import type { Database } from '../database/database.ts';
import type { Mismatch, MismatchPosition } from '../detections/face-lists.ts';
import { activeFaceModel } from '../models/active-face-model.ts';
import type { ModelStore } from '../models/model-store.ts';
import { effectiveSettings } from '../settings/effective-settings.ts';
import type { Page } from '../store/page.ts';
import type { Scope } from '../store/scope.ts';

export interface MismatchQuery {
  readonly scope: Scope;
  /** The threshold, -1 to 1; the environment's match threshold if absent. */
  readonly threshold?: number | undefined;
  /** If present, only faces of this identity are read. */
  readonly identityId?: number | undefined;
  readonly after: MismatchPosition | null;
  readonly limit: number;
}

/** A page in ascending order of similarity and id. */
export interface Mismatches extends Page<Mismatch> {
  /** The number of all faces below the threshold. */
  readonly count: number;
  readonly threshold: number;
  /** The time of the faces that have been compared; null without data of the active model. */
  readonly asOf: Date | null;
}

/**
 * Reads the confirmed faces that are less similar to their identities than the threshold, from scores that the follower of
 * similarity keeps.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function findMismatches(
  deps: { readonly database: Database; readonly models: Pick<ModelStore, 'active'> },
  { scope, threshold: given, identityId, after, limit }: MismatchQuery,
  signal?: AbortSignal,
): Promise<Mismatches> {
  const model = await activeFaceModel(deps.models, signal);
  return deps.database.withScope(
    scope,
    async ({ faces, groups, settings }) => {
      const threshold = given ?? effectiveSettings(await settings.all()).matchThreshold;
      if (model === null) return { items: [], hasMore: false, count: 0, threshold, asOf: null };
      const rule = { modelId: model.id, below: threshold, identityId };
      const [page, count, asOf] = await Promise.all([
        faces.mismatches(rule, { after, limit }),
        faces.countMismatches(rule),
        groups.scoredAt(model.id),
      ]);
      return { ...page, count, threshold, asOf };
    },
    signal,
  );
}
