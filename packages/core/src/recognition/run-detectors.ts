import type { AuditEntry } from '../audit/audit-entry.ts';
import type { Database, Settle } from '../database/database.ts';
import type { DetectionTypes } from '../detection-type.ts';
import type { MatchingDeps } from '../matching/propose-identities.ts';
import type { ImagePlan } from './plan/image-plan.ts';
import type { ImageResult } from './result/image-result.ts';
import { analyzeImage, type DetectionInput } from './run/analyze-image.ts';
import { proposeForRun } from './propose-for-run.ts';
import { type Engines, requireAnswered } from './run/find-engines.ts';
import type { StoredImage } from './state/image-state.ts';
import { storeImage, type StoreImageDeps } from './store-image.ts';

export interface RunDetectorsDeps extends StoreImageDeps, MatchingDeps {
  readonly database: Database;
}

export type DetectorRun = Omit<DetectionInput, 'find' | 'needs' | 'kind'> & {
  readonly types: DetectionTypes;
  /**
   * Whether stored detections of the requested types are removed first, rather than compared with the new detections.
   */
  readonly replace: boolean;
  readonly engines: Engines;
  readonly stored: StoredImage;
};

export interface RunDetectorsOptions {
  readonly signal?: AbortSignal | undefined;
  readonly settle?: Settle<ImageResult> | undefined;
  /** Called with each plan. It throws to reject the plan. */
  readonly check?: (plan: ImagePlan) => void;
}

/**
 * Detects faces and objects in an image, matches the faces, and stores the result.
 *
 * @throws NoActiveModel, the errors of `analyzeImage`, `proposeForRun` and {@link storeImage}
 */
export async function runDetectors(
  deps: RunDetectorsDeps,
  { types, replace, engines, stored, ...input }: DetectorRun,
  { signal, settle, check }: RunDetectorsOptions,
): Promise<ImageResult> {
  const { named } = input;
  // A face with a given name is not matched, and the image may show no other face, so the index is not required.
  const matches = engines.embeds && named === null;
  const needs = matches ? [deps.media, deps.vectors] : [deps.media];
  const kind = replace ? 'replace' : 'compare';
  const run = await analyzeImage(deps, { ...input, kind, find: engines, needs }, signal);
  requireAnswered(run, { types, namesFace: named !== null });
  const proposals = await proposeForRun(deps, { run, stored }, signal);
  return storeImage(
    deps,
    { run: { ...run, proposals }, stored },
    {
      signal,
      check,
      finish: async (tx, _, result) => {
        if (named !== null) await tx.audit(labeled(result));
        await settle?.(tx, result);
        return result;
      },
    },
  );
}

/** The entry of a person's decision about what a photo shows. */
function labeled({ faces, objects }: ImageResult): AuditEntry<'detection'> {
  const detections = [...faces, ...objects].map(({ detection }) => detection);
  const decided = detections.filter(({ decidedBy }) => decidedBy === 'human');
  const identities = new Set(decided.flatMap(({ identityId }) => identityId ?? []));
  const ids = decided.map(({ id }) => id);
  const details = { identity_ids: [...identities] };
  return { entity: 'detection', action: 'relabel', ids, details };
}
