import type { AnalyzedObject } from '@sightline/core/analysis/image-analyzer';

/** An analyzed object before its crop is encoded. */
export type DetectedObject = Omit<AnalyzedObject, 'crop'>;
