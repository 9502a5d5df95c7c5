import { MAX_SUGGESTIONS } from '../matching/decide-face.ts';
import { proposeIdentities, type MatchingDeps } from '../matching/propose-identities.ts';
import type { Proposals } from '../matching/read-gallery.ts';
import type { StoredImage } from './state/image-state.ts';
import { hiddenReferences } from './state/read-stored-image.ts';
import type { AnalyzedRun } from './run/analyze-image.ts';
import { facesToCompare } from './run/image-run.ts';

interface RunOnStored {
  readonly run: AnalyzedRun;
  readonly stored: StoredImage;
}

/**
 * Finds the identities that the faces of a run may have; null if no face model answered.
 *
 * @throws VectorsUnavailable, StoreUnavailable
 */
export async function proposeForRun(
  deps: MatchingDeps,
  { run, stored }: RunOnStored,
  signal?: AbortSignal,
): Promise<Proposals | null> {
  if (run.models.faces === null) return null;
  const query = {
    scope: run.scope,
    model: run.models.faces,
    strategy: run.settings.matchStrategy,
    vectors: facesToCompare(run).map(({ embedding }) => embedding),
    limit: MAX_SUGGESTIONS + skipped({ run, stored }),
  };
  return proposeIdentities(deps, query, signal);
}

/**
 * How many of the nearest identities may be excluded, because a face was rejected from them or they
 * lose references.
 */
function skipped({ run, stored }: RunOnStored): number {
  const rejected = [...stored.rejections.values()].map(({ size }) => size);
  const hidden = hiddenReferences(run, stored).map(({ identityId }) => identityId);
  return Math.max(0, ...rejected) + new Set(hidden).size;
}
