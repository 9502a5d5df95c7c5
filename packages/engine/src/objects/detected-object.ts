import type { AnalyzedObject } from '@sightline/core/analysis/image-analyzer';

export type DetectedObject = Omit<AnalyzedObject, 'crop'>;
