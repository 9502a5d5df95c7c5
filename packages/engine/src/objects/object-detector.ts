import type { BoundingBox } from '@sightline/core/detections/geometry';
import type {
  AnalyzedObject,
  ObjectAnalysisOptions,
} from '@sightline/core/detections/image-analyzer';
import type { Raster } from '../image/raster.ts';
import { type CentredLetterbox, letterboxCentred } from '../math/letterbox.ts';
import { packTensor, type PreprocessSpec } from '../math/pack-tensor.ts';
import type { Size } from '../math/resize-bilinear.ts';
import type { FloatTensor, ModelSession } from '../onnx/session.ts';
import { letterboxCorner } from './letterbox-corner.ts';
import type { ObjectCandidate } from './object-candidate.ts';
import { suppressObjects } from './suppress-objects.ts';
import { decodeYoloV5 } from './yolo-v5-head.ts';
import { decodeYoloV8 } from './yolo-v8-head.ts';
import { decodeYolox } from './yolox-head.ts';

/** How a net is fed and its output read. `yolox_decoded` applies grids and strides in its graph. */
export interface ObjectDetectorSpec {
  readonly architecture: 'yolov5' | 'yolov8' | 'yolov11' | 'yolox' | 'yolox_decoded';
  /** Of the net's input in pixels. */
  readonly size: Size;
  readonly preprocess: PreprocessSpec;
  /** Names by class id. */
  readonly classes: readonly string[];
}

/** An analyzed object before its crop is encoded. */
export type DetectedObject = Omit<AnalyzedObject, 'crop'>;

/** Finds objects with a YOLO or YOLOX net, as ultralytics and YOLOX do. */
export class ObjectDetector {
  readonly #session: ModelSession;
  readonly #spec: ObjectDetectorSpec;

  constructor(session: ModelSession, spec: ObjectDetectorSpec) {
    this.#session = session;
    this.#spec = spec;
  }

  /**
   * @returns objects in pixels of the picture, clamped to it, best first
   * @throws RangeError if the net's output does not fit its description
   */
  async detect(raster: Raster, options: ObjectAnalysisOptions): Promise<DetectedObject[]> {
    const { classes } = this.#spec;
    const letterbox = this.#fit(raster);
    const output = await this.#run(letterbox.pixels);
    const candidates = this.#decode(output, options.confidenceThreshold).filter(
      ({ classId }) =>
        options.classFilter.length === 0 || options.classFilter.includes(classes[classId]!),
    );
    return suppressObjects(candidates)
      .map((candidate) => ({
        bbox: toPicture(candidate, letterbox, raster),
        confidence: candidate.score,
        classId: candidate.classId,
        className: classes[candidate.classId]!,
      }))
      .filter(({ bbox }) => bbox.w > 0 && bbox.h > 0);
  }

  #fit(raster: Raster): CentredLetterbox {
    const { architecture, size } = this.#spec;
    const yolox = architecture === 'yolox' || architecture === 'yolox_decoded';
    return yolox ? letterboxCorner(raster, size) : letterboxCentred(raster, size);
  }

  /** The first output: others, as some exports of YOLOv5 have, repeat it before decoding. */
  async #run(pixels: Uint8Array): Promise<FloatTensor> {
    const { inputs, outputs } = this.#session;
    const { size, preprocess } = this.#spec;
    const data = packTensor(pixels, size, preprocess);
    const dims = [1, 3, size.height, size.width];
    const results = await this.#session.run({ [inputs[0]!.name]: { data, dims } });
    return results[outputs[0]!.name]!;
  }

  #decode(output: FloatTensor, threshold: number): ObjectCandidate[] {
    const { architecture, size, classes } = this.#spec;
    const byColumns = architecture === 'yolov8' || architecture === 'yolov11';
    const classCount = byColumns ? output.dims[1]! - 4 : output.dims[2]! - 5;
    if (classCount !== classes.length) {
      throw new RangeError(`The net tells ${classCount} classes apart, not ${classes.length}.`);
    }
    if (byColumns) return decodeYoloV8(output, threshold);
    if (architecture === 'yolox') return decodeYolox(output, { threshold, size });
    // A YOLOX net that decodes its boxes answers the rows of YOLOv5.
    return decodeYoloV5(output, threshold);
  }
}

function toPicture(
  { x1, y1, x2, y2 }: ObjectCandidate,
  { scale, padX, padY }: CentredLetterbox,
  { width, height }: Raster,
): BoundingBox {
  const left = clamp((x1 - padX) / scale, width);
  const top = clamp((y1 - padY) / scale, height);
  return {
    x: left,
    y: top,
    w: clamp((x2 - padX) / scale, width) - left,
    h: clamp((y2 - padY) / scale, height) - top,
  };
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max);
}
