import type { ObjectAnalysisOptions } from '@sightline/core/analysis/image-analyzer';
import { freePixels, type Raster } from '../image/raster.ts';
import { cutTile, isWithinTile, planTiles } from '../image/tiles.ts';
import type { Size } from '../math/resize-bilinear.ts';
import type { StageObserver } from '../stage.ts';
import type { DetectedObject } from './detected-object.ts';
import { joinRuns } from './join-runs.ts';

/** A network that finds objects, either of its own classes or of the phrases in the options. */
interface Detector {
  /** The size of the network's input in pixels. */
  readonly size: Size;
  detect(raster: Raster, options: ObjectAnalysisOptions): Promise<DetectedObject[]>;
}

export class ObjectPipeline {
  readonly #detector: Detector;

  constructor(detector: Detector) {
    this.#detector = detector;
  }

  /**
   * Searches the image, and then its tiles if it is long or large; see {@link planTiles}.
   *
   * @returns objects in descending order of confidence
   */
  async analyze(
    raster: Raster,
    options: ObjectAnalysisOptions,
    observe: StageObserver,
  ): Promise<DetectedObject[]> {
    const start = performance.now();
    const runs = [await this.#detector.detect(raster, options)];
    const { width, height } = this.#detector.size;
    for (const tile of planTiles(raster, Math.max(width, height))) {
      const part = cutTile(raster, tile);
      const found = await this.#detector.detect(part, options);
      freePixels(part);
      runs.push(
        found
          .map((object) => moved(object, tile.left, tile.top))
          .filter(({ bbox: { x, y, w, h } }) =>
            isWithinTile({ x1: x, y1: y, x2: x + w, y2: y + h }, tile, raster),
          ),
      );
    }
    const objects = joinRuns(runs);
    observe('detect', performance.now() - start);
    return objects;
  }
}

function moved({ bbox, ...object }: DetectedObject, x: number, y: number): DetectedObject {
  return { ...object, bbox: { ...bbox, x: bbox.x + x, y: bbox.y + y } };
}
