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
 * Finds candidate identities for the faces of a run; null if the run used no face model.
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
 * The number of additional candidates to request, because some may be excluded later: identities from which a face was
 * rejected, and identities that lose references in this run.
 */
function skipped({ run, stored }: RunOnStored): number {
  const rejected = [...stored.rejections.values()].map(({ size }) => size);
  const hidden = hiddenReferences(run, stored).map(({ identityId }) => identityId);
  return Math.max(0, ...rejected) + new Set(hidden).size;
}
