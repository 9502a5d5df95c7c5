import type { ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import type { JobWorks } from '@sightline/core/jobs/job-work';
import type { AvailabilityDeps } from '@sightline/core/activation/await-availability';
import { TailCache } from '@sightline/core/matching/tail-cache';
import type { ModelRegistry } from '@sightline/core/models/model-registry';
import type { ModelFetcher } from '@sightline/core/models/model-source';
import type { FetchImage } from '@sightline/core/sources/fetch-image';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import type { SecretBox } from '@sightline/core/secrets/secret-box';
import type { Spool } from '@sightline/platform/http/spool';
import type { Logger } from '@sightline/platform/logging/logger';
import type { WorkerStores } from '../worker-stores.ts';
import { activateModelJob } from './activate-model-job.ts';
import { bulkDetectJob } from './bulk-detect-job.ts';
import { bulkDetectionsJob } from './bulk-detections-job.ts';
import { bulkReviewJob } from './bulk-review-job.ts';
import { bulkImagesJob } from './bulk-images-job.ts';
import { exportJob } from './export-job.ts';
import { importJob } from './import-job.ts';
import { ImportMemory } from './import-memory.ts';
import { modelDownloadJob } from './model-download-job.ts';
import { reembedJob } from './reembed-job.ts';
import { reprocessJob } from './reprocess-job.ts';
import { undoJob } from './undo-job.ts';

export interface JobWorksDeps extends AvailabilityDeps {
  readonly stores: Pick<
    WorkerStores,
    'catalog' | 'database' | 'media' | 'vectors' | 'changeLog' | 'models' | 'activations' | 'leases'
  >;
  /** The most images of a job that are analyzed at the same time. */
  readonly concurrency: number;
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
  /** Null if the installation has no store for model packs. */
  readonly fetcher: ModelFetcher | null;
  readonly fetchImage: FetchImage;
  readonly secrets: SecretBox;
  /** The temporary files of archives. */
  readonly spool: Spool;
  readonly logger: Logger;
  /** The version of the product, which is written into archives. */
  readonly version: string;
}

/** The memory in bytes of each import while several imports run at the same time. */
const IMPORT_SHARE_BYTES = 256 * 1024 ** 2;

export function jobWorks({ stores, ...others }: JobWorksDeps): JobWorks {
  const imageLimits = DEFAULT_IMAGE_LIMITS;
  const deps = { ...stores, ...others, tails: new TailCache(), imageLimits };
  const archives = { ...deps, spool: others.spool.forArchives() };
  return {
    reembed: reembedJob(deps),
    bulk_detect: bulkDetectJob(deps),
    reprocess: reprocessJob(deps),
    export: exportJob(archives),
    import: importJob({
      ...archives,
      modelStore: stores.models,
      memory: new ImportMemory(IMPORT_SHARE_BYTES),
    }),
    activate_model: activateModelJob({ ...deps, modelStore: stores.models }),
    model_download: modelDownloadJob(deps),
    bulk_review: bulkReviewJob({ ...deps, models: stores.models }),
    bulk_detections: bulkDetectionsJob({ ...deps, models: stores.models }),
    bulk_images: bulkImagesJob(deps),
    undo: undoJob(deps),
  };
}
