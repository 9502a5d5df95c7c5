import type { BoundingBox } from '@sightline/core/analysis/geometry';
import type {
  AnalyzedObject,
  ObjectAnalysisOptions,
} from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import { packTensor, type PreprocessSpec } from '../math/pack-tensor.ts';
import type { Size } from '../math/resize-bilinear.ts';
import type { FloatTensor, ModelSession } from '../onnx/session.ts';
import type { FittedImage } from './fitted-image.ts';
import { OBJECT_ARCHITECTURES, type ObjectArchitecture } from './object-architectures.ts';
import type { ObjectCandidate } from './object-candidate.ts';
import { suppressObjects } from './suppress-objects.ts';

/** How a network is fed and decoded. `yolox_decoded` applies grids and strides in its graph. */
export interface ObjectDetectorSpec {
  readonly architecture: keyof typeof OBJECT_ARCHITECTURES;
  /** Of the network's input in pixels. */
  readonly size: Size;
  readonly preprocess: PreprocessSpec;
  /** Class names, indexed by class id. */
  readonly classes: readonly string[];
}

/** An analyzed object before its crop is encoded. */
export type DetectedObject = Omit<AnalyzedObject, 'crop'>;

/** Detects objects with a network of one of the {@link OBJECT_ARCHITECTURES}. */
export class ObjectDetector {
  readonly #session: ModelSession;
  readonly #spec: ObjectDetectorSpec;
  readonly #architecture: ObjectArchitecture;

  constructor(session: ModelSession, spec: ObjectDetectorSpec) {
    this.#session = session;
    this.#spec = spec;
    this.#architecture = OBJECT_ARCHITECTURES[spec.architecture];
  }

  /**
   * @returns objects in pixels of the image, clamped to it, best first
   * @throws RangeError if the network's output does not fit the spec
   */
  async detect(raster: Raster, options: ObjectAnalysisOptions): Promise<DetectedObject[]> {
    const { classes, size } = this.#spec;
    const fitted = this.#architecture.fit(raster, size);
    const outputs = await this.#run(fitted.pixels);
    const candidates = this.#decode(outputs, options.confidenceThreshold).filter(
      ({ classId }) =>
        options.classFilter.length === 0 || options.classFilter.includes(classes[classId]!),
    );
    return suppressObjects(candidates)
      .map((candidate) => ({
        bbox: toImageBox(candidate, fitted, raster),
        confidence: candidate.score,
        classId: candidate.classId,
        className: classes[candidate.classId]!,
      }))
      .filter(({ bbox }) => bbox.w > 0 && bbox.h > 0);
  }

  /** All outputs, in the order of the graph. */
  async #run(pixels: Uint8Array): Promise<FloatTensor[]> {
    const { inputs, outputs } = this.#session;
    const { size, preprocess } = this.#spec;
    const data = packTensor(pixels, size, preprocess);
    const dims = [1, 3, size.height, size.width];
    const results = await this.#session.run({ [inputs[0]!.name]: { data, dims } });
    return outputs.map(({ name }) => results[name]!);
  }

  #decode(outputs: readonly FloatTensor[], threshold: number): ObjectCandidate[] {
    const { size, classes } = this.#spec;
    const classCount = this.#architecture.classCount(outputs);
    if (classCount !== classes.length) {
      throw new RangeError(
        `The network has ${classCount} classes, but ${classes.length} class names are given.`,
      );
    }
    return this.#architecture.decode(outputs, { threshold, size });
  }
}

function toImageBox(
  { x1, y1, x2, y2 }: ObjectCandidate,
  { scaleX, scaleY, padX, padY }: FittedImage,
  { width, height }: Raster,
): BoundingBox {
  const left = clamp((x1 - padX) / scaleX, width);
  const top = clamp((y1 - padY) / scaleY, height);
  return {
    x: left,
    y: top,
    w: clamp((x2 - padX) / scaleX, width) - left,
    h: clamp((y2 - padY) / scaleY, height) - top,
  };
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max);
}
