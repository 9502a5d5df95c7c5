import type { ImageAnalyzer } from '../analysis/image-analyzer.ts';
import type { Database, Settle } from '../database/database.ts';
import type { DetectionTypes } from '../detection-type.ts';
import type { MatchingDeps } from '../matching/propose-identities.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import type { ImagePlan } from './plan/image-plan.ts';
import type { ImageResult } from './result/image-result.ts';
import { analyzeImage, type RunRequest } from './run/analyze-image.ts';
import { embedForSuccessor } from './embed-for-successor.ts';
import { proposeForRun } from './propose-for-run.ts';
import { type Engines, requireAnswered } from './run/find-engines.ts';
import type { StoredImage } from './state/image-state.ts';
import { storeImage, type StoreImageDeps } from './store-image.ts';

export interface RunDetectorsDeps extends StoreImageDeps, MatchingDeps {
  readonly database: Database;
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
}

/** An image, and what is to be done with it. */
export type DetectorRun = Omit<RunRequest, 'find' | 'needs'> & {
  readonly types: DetectionTypes;
  readonly engines: Engines;
  /** What is stored of the image. */
  readonly stored: StoredImage;
};

export interface RunDetectorsOptions {
  readonly signal?: AbortSignal | undefined;
  readonly settle?: Settle<ImageResult> | undefined;
  /** Looks at each plan that is made. May throw. */
  readonly check?: (plan: ImagePlan) => void;
}

/**
 * Detects in an image, matches its faces and stores the findings.
 *
 * @throws NoActiveModel, the errors of `analyzeImage`, `proposeForRun` and {@link storeImage}
 */
export async function runDetectors(
  deps: RunDetectorsDeps,
  { types, engines, stored, ...wanted }: DetectorRun,
  options: RunDetectorsOptions,
): Promise<ImageResult> {
  const { signal, settle, check } = options;
  // The named face is not compared, and there may be no other: the index is not required then.
  const matches = engines.embeds && wanted.named === null;
  const needs = matches ? [deps.media, deps.vectors] : [deps.media];
  const run = await analyzeImage(deps, { ...wanted, find: engines, needs }, signal);
  requireAnswered(run, { types, namesFace: wanted.named !== null });
  const proposals = await proposeForRun(deps, { run, stored }, signal);
  return storeImage(
    deps,
    { run: { ...run, proposals }, stored },
    {
      ...(signal && { signal }),
      ...(check && { check }),
      embed: (plan) => embedForSuccessor(deps, plan, signal),
      finish: async (tx, _, result) => {
        await settle?.(tx, result);
        return result;
      },
    },
  );
}
