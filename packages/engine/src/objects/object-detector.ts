import type { ObjectAnalysisOptions } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import { packFit } from '../kernels/pack-fit.ts';
import type { Fit } from '../math/fit.ts';
import type { PreprocessSpec } from '../math/pack-tensor.ts';
import type { Size } from '../math/resize-bilinear.ts';
import { freeTensors } from '../onnx/free-tensors.ts';
import { InputBuffer } from '../onnx/input-buffer.ts';
import type { FloatTensor, ModelSession } from '../onnx/session.ts';
import type { DetectedObject } from './detected-object.ts';
import {
  type DecodeOptions,
  OBJECT_ARCHITECTURES,
  type ObjectArchitecture,
} from './object-architectures.ts';
import type { ObjectCandidate } from './object-candidate.ts';
import { type ObjectInput, placeImage } from './place-image.ts';
import { suppressObjects } from './suppress-objects.ts';
import { toDetected } from './to-detected.ts';

/**
 * The way to feed and decode a network. A `yolox_decoded` network applies grids and strides in its
 * graph.
 */
export interface ObjectDetectorSpec extends ObjectInput {
  readonly architecture: keyof typeof OBJECT_ARCHITECTURES;
  readonly preprocess: PreprocessSpec;
  readonly classes: readonly string[];
}

/** Detects objects with a network of one of the {@link OBJECT_ARCHITECTURES}. */
export class ObjectDetector {
  readonly #session: ModelSession;
  readonly #spec: ObjectDetectorSpec;
  readonly #architecture: ObjectArchitecture;
  readonly #input = new InputBuffer();

  constructor(session: ModelSession, spec: ObjectDetectorSpec) {
    this.#session = session;
    this.#spec = spec;
    this.#architecture = OBJECT_ARCHITECTURES[spec.architecture];
  }

  get size(): Size {
    return this.#spec.size;
  }

  /**
   * @returns objects in pixels of the image, clamped to it, best first
   * @throws RangeError if the network's output does not fit the spec
   */
  async detect(raster: Raster, options: ObjectAnalysisOptions): Promise<DetectedObject[]> {
    const { classes } = this.#spec;
    const { fit: fitImage } = this.#architecture;
    const [image] = this.#session.inputs;
    const fit = placeImage({ fit: fitImage, input: this.#spec }, image!, raster);
    const outputs = await this.#run(raster, fit);
    const { size } = fit;
    const decoded = this.#decode(outputs, { threshold: options.confidenceThreshold, size });
    freeTensors(outputs);
    const candidates = decoded.filter(
      ({ classId }) =>
        options.classFilter.length === 0 || options.classFilter.includes(classes[classId]!),
    );
    return toDetected(suppressObjects(candidates), { fit, raster, classes });
  }

  async #run(raster: Raster, fit: Fit): Promise<FloatTensor[]> {
    const { inputs, outputs } = this.#session;
    const { width, height } = fit.size;
    const results = await this.#input.with(3 * width * height, (data) => {
      packFit(data, raster, { fit, spec: this.#spec.preprocess });
      return this.#session.run({ [inputs[0]!.name]: { data, dims: [1, 3, height, width] } });
    });
    return outputs.map(({ name }) => results[name]!);
  }

  #decode(outputs: readonly FloatTensor[], options: DecodeOptions): ObjectCandidate[] {
    const { classes } = this.#spec;
    const classCount = this.#architecture.classCount(outputs);
    if (classCount !== classes.length) {
      throw new RangeError(
        `The network has ${classCount} classes, but ${classes.length} class names are given.`,
      );
    }
    return this.#architecture.decode(outputs, options);
  }
}
