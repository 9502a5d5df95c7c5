import type { OpenApiDocument } from '@sightline/contracts/openapi';
import type { ImageAnalyzer } from '@sightline/core/detections/image-analyzer';
import type { RecognitionSettings } from '@sightline/core/settings/recognition-settings';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import type { HealthChecks } from './health/check-health.ts';
import type { FetchImage } from './images/fetch-image.ts';

/** What the endpoints work with. */
export interface ApiContext {
  readonly analyzer: ImageAnalyzer;
  readonly settings: RecognitionSettings;
  readonly fetchImage: FetchImage;
  readonly imageLimits: ImageLimits;
  /** Images of one batch that are analyzed at the same time: enough to keep all workers busy. */
  readonly batchConcurrency: number;
  /** Of the product, as health and the OpenAPI document show it. */
  readonly version: string;
  /** Made once: it takes milliseconds, and the event loop is everyone's. */
  readonly openApi: OpenApiDocument;
  readonly healthChecks: HealthChecks;
}
