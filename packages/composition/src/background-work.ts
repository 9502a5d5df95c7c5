import type { ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import { reembedFaces } from '@sightline/core/reembedding/reembed-faces';
import type { JobDeps } from '@sightline/core/jobs/run-next-job';
import type { ModelRegistry } from '@sightline/core/models/model-registry';
import type { Logger } from '@sightline/platform/logging/logger';
import { logReembedding } from './log-reembedding.ts';
import type { OpenedStores } from './open-stores.ts';

export interface BackgroundWorkDeps {
  readonly stores: Omit<OpenedStores, 'models'>;
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
  /** Images that are at work at the same time. */
  readonly concurrency: number;
  readonly logger: Logger;
}

/** What the jobs of each type do. */
export function backgroundWork({ stores, logger, ...rest }: BackgroundWorkDeps): JobDeps['work'] {
  const deps = { ...stores, ...rest, index: stores.indexSource };
  return {
    reembed: logReembedding(
      (job, report, signal) => reembedFaces(deps, job, { report, signal }),
      logger,
    ),
  };
}
