import {
  faceOptions,
  objectOptions,
  renditionOptions,
} from '@sightline/core/analysis/analysis-options';
import type { AnalysisRequest } from '@sightline/core/analysis/image-analyzer';
import { effectiveSettings } from '@sightline/core/settings/effective-settings';

const settings = effectiveSettings(new Map());

/** An endpoint, and the analysis that it requests from the engine for each of its images. */
export interface Workload {
  readonly endpoint: string;
  /** The names of the form fields that hold the images. */
  readonly fields: readonly string[];
  /** Whether every image is sent as a new one: its bytes differ, its pixels do not. */
  readonly fresh?: true;
  readonly analysis: Pick<AnalysisRequest, 'faces' | 'objects' | 'renditions'>;
}

const TEST = { fields: ['file'] };
const FACES = faceOptions(settings);
/** The renditions of a photo that the service stores. */
export const RENDITIONS = renditionOptions(settings);

/** The workloads request the same analyses as core's use cases. */
export const WORKLOADS = {
  faces: {
    ...TEST,
    endpoint: '/api/test?type=faces',
    analysis: { faces: FACES },
  },
  objects: {
    ...TEST,
    endpoint: '/api/test?type=objects',
    analysis: { objects: objectOptions(settings) },
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
      renditions: RENDITIONS,
    },
  },
} satisfies Record<string, Workload>;

export type WorkloadName = keyof typeof WORKLOADS;

/**
 * The photos of an operation. Operations take the photos in turn; an operation that compares two photos also takes
 * the next one.
 */
export function photosOf<Photo>(
  workload: Workload,
  photos: readonly Photo[],
  operation: number,
): Photo[] {
  return workload.fields.map((_, index) => photos[(operation + index) % photos.length]!);
}

/** Operations of one workload. */
export interface Run {
  readonly workload: WorkloadName;
  /** The index of the first operation; default: 0. */
  readonly first?: number;
  readonly operations: number;
}

export interface RunResult {
  /** The seconds from the first operation's start to the last one's end. */
  readonly seconds: number;
  /** The time of each operation, in the order of their ends. */
  readonly milliseconds: readonly number[];
  /** The number of faces and objects in all operations. */
  readonly found: number;
}
