import type { AnalysisRequest } from '@sightline/core/detections/image-analyzer';
import { DEFAULT_RECOGNITION_SETTINGS } from '@sightline/core/settings/recognition-settings';

const {
  faceDetectionThreshold: detectionThreshold,
  objectConfidenceThreshold: confidenceThreshold,
  objectClassFilter: classFilter,
} = DEFAULT_RECOGNITION_SETTINGS;

/** An endpoint, and what it asks of the engine for each of its images. */
export interface Workload {
  readonly endpoint: string;
  /** The form fields of the images. */
  readonly fields: readonly string[];
  readonly analysis: Pick<AnalysisRequest, 'faces' | 'objects'>;
}

const TEST = { fields: ['file'] };
const FACES = { detectionThreshold, attributes: true, fullFramePass: true };

/** The analyses are those that core's `testImage` and `verifyFaces` ask for. */
export const WORKLOADS = {
  faces: {
    ...TEST,
    endpoint: '/api/test?type=faces',
    analysis: { faces: { ...FACES, embed: false } },
  },
  objects: {
    ...TEST,
    endpoint: '/api/test?type=objects',
    analysis: { objects: { confidenceThreshold, classFilter } },
  },
  verify: {
    endpoint: '/api/verify',
    fields: ['file1', 'file2'],
    analysis: { faces: { ...FACES, embed: true } },
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
