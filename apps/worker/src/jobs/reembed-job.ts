import type { ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import type { JobWork } from '@sightline/core/jobs/run-next-job';
import type { ModelRegistry } from '@sightline/core/models/model-registry';
import { reembedFaces } from '@sightline/core/reembedding/reembed-faces';
import type { Logger } from '@sightline/platform/logging/logger';
import type { WorkerStores } from '../worker-stores.ts';
import { logReembedding } from './log-reembedding.ts';

export interface ReembedJobDeps {
  readonly stores: WorkerStores;
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
  /** How many images are analyzed at the same time. */
  readonly concurrency: number;
  readonly logger: Logger;
}

/** Computes the embeddings that stored faces lack of the active model. */
export function reembedJob({ stores, logger, ...rest }: ReembedJobDeps): JobWork {
  const deps = { ...stores, ...rest, index: stores.indexSource };
  return logReembedding(
    (job, report, signal) => reembedFaces(deps, job, { report, signal }),
    logger,
  );
}
