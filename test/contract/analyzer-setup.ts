import { readFile } from 'node:fs/promises';
import type { ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import { shared } from '../support/fixtures/shared.ts';

/** The options of an adapter; its models are those of the shared packs. */
export interface AnalyzerSetup {
  readonly face: boolean;
  readonly object: boolean;
  /** The number of images that are analyzed at once. `queueLimit` more images may wait. */
  readonly workers: number;
  readonly queueLimit: number;
  readonly limits?: Partial<ImageLimits>;
  /** Called for every image that a worker begins. */
  readonly onBegun?: () => void;
}

export interface OpenAnalyzer extends AsyncDisposable {
  readonly analyzer: ImageAnalyzer;
}

export type OpenAnalyzerWith = (setup: AnalyzerSetup) => Promise<OpenAnalyzer>;

/** All fields of faces that the shared models provide. */
export const FACES = {
  detectionThreshold: 0.5,
  embed: true,
  attributes: true,
  fullFramePass: false,
  upright: false,
};

/** An empty filter stands for all classes. */
export const OBJECTS = { confidenceThreshold: 0.25, classFilter: [] };

export const BOTH = { face: true, object: true, workers: 1, queueLimit: 20 };

/** A photo of two people. */
export const SMALL = 'people/010_2.jpg';

export async function photo(path: string): Promise<Uint8Array> {
  return readFile(shared('photos', path));
}
