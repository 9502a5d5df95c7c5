import type { AnalysisRequest } from '@sightline/core/analysis/image-analyzer';
import { effectiveSettings } from '@sightline/core/settings/effective-settings';

const settings = effectiveSettings(new Map());
const {
  faceDetectionThreshold: detectionThreshold,
  objectConfidenceThreshold: confidenceThreshold,
  objectClassFilter: classFilter,
} = settings;

/** An endpoint, and what it asks of the engine for each of its images. */
export interface Workload {
  readonly endpoint: string;
  /** The form fields of the images. */
  readonly fields: readonly string[];
  /** Every image is sent as one that was never seen: its bytes differ, its pixels do not. */
  readonly fresh?: true;
  readonly analysis: Pick<AnalysisRequest, 'faces' | 'objects' | 'renditions'>;
}

const TEST = { fields: ['file'] };
const FACES = { detectionThreshold, embed: true, attributes: true, fullFramePass: true };

/** The analyses are those that core's use cases ask for. */
export const WORKLOADS = {
  faces: {
    ...TEST,
    endpoint: '/api/test?type=faces',
    analysis: { faces: FACES },
  },
  objects: {
    ...TEST,
    endpoint: '/api/test?type=objects',
    analysis: { objects: { confidenceThreshold, classFilter } },
  },
  verify: {
    endpoint: '/api/verify',
    fields: ['file1', 'file2'],
    analysis: { faces: FACES },
  },
  identify: {
    ...TEST,
    endpoint: '/api/identify',
    analysis: { faces: FACES },
  },
  detect: {
    ...TEST,
    endpoint: '/api/detect/faces',
    fresh: true,
    analysis: {
      faces: FACES,
      renditions: {
        source: { maxSize: settings.sourceMaxSize, quality: settings.ingestJpegQuality },
        crops: { padding: settings.cropPadding, quality: settings.cropJpegQuality },
      },
    },
  },
} satisfies Record<string, Workload>;

export type WorkloadName = keyof typeof WORKLOADS;

/** The photos of one operation: they are taken in turn, a pair beginning with each of them. */
export function photosOf<Photo>(
  workload: Workload,
  photos: readonly Photo[],
  operation: number,
): Photo[] {
  return workload.fields.map((_, index) => photos[(operation + index) % photos.length]!);
}

/** Operations of one workload, done one after the other or by several at once. */
export interface Run {
  readonly workload: WorkloadName;
  /** Which operation comes first; default: 0. */
  readonly first?: number;
  readonly operations: number;
}

export interface RunResult {
  /** From the first operation's start to the last one's end. */
  readonly seconds: number;
  /** Of each operation, in the order of their ends. */
  readonly milliseconds: readonly number[];
  /** Faces and objects of all operations together. */
  readonly found: number;
}
