import { packInto, type PreprocessSpec } from '../math/pack-tensor.ts';
import type { ModelSession } from '../onnx/session.ts';
import { isAlignedSide } from './align-face.ts';
import { inputSide } from './input-side.ts';

const USUAL_SIDE = 112;
/** Faces of one run where the net takes several: bounds the memory of a picture of a crowd. */
const LARGEST_BATCH = 16;

/** Makes embeddings with a net of the ArcFace family, as `ArcFaceONNX` of insightface does. */
export class FaceRecognizer {
  /** Side in pixels of the aligned faces that {@link embed} takes. */
  readonly side: number;
  readonly #session: ModelSession;
  readonly #preprocess: PreprocessSpec;
  readonly #batchSize: number;

  /** @throws RangeError if faces cannot be aligned to the net's input */
  constructor(session: ModelSession, preprocess: PreprocessSpec) {
    this.#session = session;
    this.#preprocess = preprocess;
    this.side = inputSide(session, USUAL_SIDE);
    if (!isAlignedSide(this.side)) {
      throw new RangeError(`Faces of ${this.side} pixels are no multiple of 112 or 128.`);
    }
    this.#batchSize = takesBatches(session) ? LARGEST_BATCH : 1;
  }

  /**
   * @param faces aligned pictures of `side` x `side`, RGB, interleaved
   * @returns an L2-normalised vector for each, of the length that the net has
   */
  async embed(faces: readonly Uint8Array[]): Promise<Float32Array[]> {
    const embeddings: Float32Array[] = [];
    for (let start = 0; start < faces.length; start += this.#batchSize) {
      embeddings.push(...(await this.#run(faces.slice(start, start + this.#batchSize))));
    }
    return embeddings;
  }

  async #run(faces: readonly Uint8Array[]): Promise<Float32Array[]> {
    const length = 3 * this.side * this.side;
    const data = new Float32Array(length * faces.length);
    for (const [index, face] of faces.entries()) {
      packInto(data.subarray(index * length, (index + 1) * length), face, this.#preprocess);
    }
    const { inputs, outputs } = this.#session;
    const results = await this.#session.run({
      [inputs[0]!.name]: { data, dims: [faces.length, 3, this.side, this.side] },
    });
    const vectors = results[outputs[0]!.name]!.data;
    const dim = vectors.length / faces.length;
    return faces.map((_, index) => normalise(vectors.subarray(index * dim, (index + 1) * dim)));
  }
}

/**
 * Only where the input and the output leave the batch free. Many exports have a free input but say
 * one output row; among them are nets that quantise each run's activations together, in which the
 * faces of a batch would change each other's embeddings.
 */
function takesBatches({ inputs, outputs }: ModelSession): boolean {
  return inputs[0]!.dims[0] === null && outputs[0]!.dims[0] === null;
}

function normalise(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const norm = Math.sqrt(square);
  return norm === 0 ? vector.slice() : vector.map((value) => value / norm);
}
