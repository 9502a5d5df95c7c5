import type { ObjectAnalysisOptions } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import { packFit } from '../kernels/pack-fit.ts';
import type { PreprocessSpec } from '../math/pack-tensor.ts';
import type { Size } from '../math/resize-bilinear.ts';
import { freeTensors } from '../onnx/free-tensors.ts';
import { InputBuffer } from '../onnx/input-buffer.ts';
import type { FloatTensor, ModelSession, TensorSpec } from '../onnx/session.ts';
import type { PhraseEmbedder } from '../text/phrase-embedder.ts';
import { fitCentered } from './fit-image.ts';
import type { ObjectCandidate } from './object-candidate.ts';
import type { DetectedObject } from './detected-object.ts';
import { type ObjectInput, placeImage } from './place-image.ts';
import { suppressObjects } from './suppress-objects.ts';
import { toDetected } from './to-detected.ts';
import { decodeYoloV8 } from './yolo-v8-head.ts';
import { decodeYoloWorld } from './yolo-world-head.ts';

type Decode = (outputs: readonly FloatTensor[], threshold: number) => ObjectCandidate[];

const HEADS = {
  yolo_world: ([scores, boxes]: readonly FloatTensor[], threshold: number) => {
    if (boxes === undefined)
      throw new RangeError(
        'A YOLO-World head needs two outputs, scores and boxes; the network has one.',
      );
    return decodeYoloWorld({ scores: scores!, boxes }, threshold);
  },
  yolo_world_v8: ([columns]: readonly FloatTensor[], threshold: number) =>
    decodeYoloV8(columns!, threshold),
} as const satisfies Record<string, Decode>;

/**
 * The phrase that fills unused positions of a graph with a fixed number of phrases, as in
 * YOLO-World's own code.
 */
const BLANK_PHRASE = ' ';

export interface OpenVocabularySpec extends ObjectInput {
  /**
   * `yolo_world` has separate outputs for scores and boxes, whereas `yolo_world_v8` has a single
   * output like YOLOv8.
   */
  readonly architecture: keyof typeof HEADS;
  readonly preprocess: PreprocessSpec;
  readonly words: readonly string[];
}

/**
 * Detects objects described by phrases, with a network that takes an image and the phrases'
 * embeddings.
 */
export class OpenVocabularyDetector {
  readonly #session: ModelSession;
  readonly #phrases: PhraseEmbedder;
  readonly #spec: OpenVocabularySpec;
  readonly #image: TensorSpec;
  readonly #text: TensorSpec;
  readonly #input = new InputBuffer();

  /** @throws RangeError unless the network has one input for images and one input for embeddings */
  constructor(session: ModelSession, phrases: PhraseEmbedder, spec: OpenVocabularySpec) {
    const image = session.inputs.find(({ dims }) => dims.length === 4);
    const text = session.inputs.find(({ dims }) => dims.length === 3);
    if (image === undefined || text === undefined || session.inputs.length !== 2) {
      throw new RangeError(
        'An open-vocabulary detector has one input for an image and one for embeddings of phrases.',
      );
    }
    this.#session = session;
    this.#phrases = phrases;
    this.#spec = spec;
    this.#image = image;
    this.#text = text;
  }

  get size(): Size {
    return this.#spec.size;
  }

  /**
   * @param options options whose class filter is ignored, because it does not apply to phrases
   * @returns objects in pixels of the image, clamped to it, best first; a class is a phrase and its
   *   index
   * @throws RangeError if the network's output does not fit the spec
   */
  async detect(
    raster: Raster,
    { confidenceThreshold: threshold, vocabulary = [] }: ObjectAnalysisOptions,
  ): Promise<DetectedObject[]> {
    const phrases = vocabulary.length === 0 ? this.#spec.words : vocabulary;
    const fit = placeImage({ fit: fitCentered, input: this.#spec }, this.#image, raster);
    const { width, height } = fit.size;
    const candidates = await this.#input.with(3 * width * height, (data) => {
      packFit(data, raster, { fit, spec: this.#spec.preprocess });
      return this.#find({ data, dims: [1, 3, height, width] }, phrases, threshold);
    });
    return toDetected(suppressObjects(candidates), { fit, raster, classes: phrases });
  }

  /**
   * Runs the network once. If the graph has a fixed number of phrases, it runs once per group of
   * that many phrases.
   */
  async #find(
    image: FloatTensor,
    phrases: readonly string[],
    threshold: number,
  ): Promise<ObjectCandidate[]> {
    const size = this.#text.dims[1] ?? phrases.length;
    const candidates: ObjectCandidate[] = [];
    for (let first = 0; first < phrases.length; first += size) {
      const group = phrases.slice(first, first + size);
      const blanks = new Array<string>(size - group.length).fill(BLANK_PHRASE);
      const found = await this.#run(image, [...group, ...blanks], threshold);
      for (const candidate of found) {
        if (candidate.classId >= group.length) continue;
        candidates.push({ ...candidate, classId: first + candidate.classId });
      }
    }
    return candidates;
  }

  async #run(
    image: FloatTensor,
    phrases: readonly string[],
    threshold: number,
  ): Promise<ObjectCandidate[]> {
    const text = toTensor(await this.#phrases.embed(phrases), this.#text);
    const feeds = { [this.#image.name]: image, [this.#text.name]: text };
    const results = await this.#session.run(feeds);
    const outputs = this.#session.outputs.map(({ name }) => results[name]!);
    const candidates = HEADS[this.#spec.architecture](outputs, threshold);
    freeTensors(outputs);
    return candidates;
  }
}

/** @throws RangeError if the network takes embeddings of another length */
function toTensor(embeddings: readonly Float32Array[], { dims }: TensorSpec): FloatTensor {
  const { length } = embeddings[0]!;
  const [, , expected = null] = dims;
  if (expected !== null && expected !== length) {
    throw new RangeError(
      `The detector takes embeddings of ${expected} values, but the text encoder outputs ${length} values.`,
    );
  }
  const data = new Float32Array(embeddings.length * length);
  for (const [row, embedding] of embeddings.entries()) data.set(embedding, row * length);
  return { data, dims: [1, embeddings.length, length] };
}
