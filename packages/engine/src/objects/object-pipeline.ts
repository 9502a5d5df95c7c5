import type { ObjectAnalysisOptions } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import type { StageObserver } from '../stage.ts';
import type { DetectedObject } from './detected-object.ts';

/** A network that finds objects, either of its own classes or of the phrases in the options. */
interface Detector {
  detect(raster: Raster, options: ObjectAnalysisOptions): Promise<DetectedObject[]>;
}

export class ObjectPipeline {
  readonly #detector: Detector;

  constructor(detector: Detector) {
    this.#detector = detector;
  }

  /** @returns objects in descending order of confidence */
  async analyze(
    raster: Raster,
    options: ObjectAnalysisOptions,
    observe: StageObserver,
  ): Promise<DetectedObject[]> {
    const start = performance.now();
    const objects = await this.#detector.detect(raster, options);
    observe('detect', performance.now() - start);
    return objects;
  }
}
