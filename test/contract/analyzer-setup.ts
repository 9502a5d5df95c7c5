import { readFile } from 'node:fs/promises';
import type { ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import { shared } from '../support/fixtures/shared.ts';

/** What an adapter is to be opened with; the models are those of the shared packs. */
export interface AnalyzerSetup {
  readonly face: boolean;
  readonly object: boolean;
  /** Images at work at once, and images that may wait. */
  readonly workers: number;
  readonly queueLimit: number;
  readonly limits?: Partial<ImageLimits>;
  /** Told of every image that a worker takes up. */
  readonly onBegun?: () => void;
}

export interface OpenAnalyzer extends AsyncDisposable {
  readonly analyzer: ImageAnalyzer;
}

export type OpenAnalyzerWith = (setup: AnalyzerSetup) => Promise<OpenAnalyzer>;

/** Faces with everything that the shared models tell about them. */
export const FACES = {
  detectionThreshold: 0.5,
  embed: true,
  attributes: true,
  fullFramePass: false,
};

/** Objects of every class. */
export const OBJECTS = { confidenceThreshold: 0.25, classFilter: [] };

/** One worker with both models. */
export const BOTH = { face: true, object: true, workers: 1, queueLimit: 20 };

/** A photo of two people. */
export const SMALL = 'people/010_2.jpg';

/** The bytes of a shared photo. */
export async function photo(path: string): Promise<Uint8Array> {
  return readFile(shared('photos', path));
}
