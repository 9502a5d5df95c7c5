import { packInto } from '../kernels/pack-tensor.ts';
import type { PreprocessSpec } from '../math/pack-tensor.ts';
import type { ModelSession } from '../onnx/session.ts';
import { isAlignedSide } from './align-face.ts';
import { inputSide } from './input-side.ts';

const DEFAULT_SIDE = 112;
/** Faces per run if the network takes batches. Bounds the memory for an image of a crowd. */
const MAX_BATCH = 16;

/** Computes embeddings with a network of the ArcFace family, like `ArcFaceONNX` of insightface. */
export class FaceRecognizer {
  /** Side in pixels of the aligned faces that {@link embed} takes. */
  readonly side: number;
  readonly #session: ModelSession;
  readonly #preprocess: PreprocessSpec;
  readonly #batchSize: number;

  /** @throws RangeError if faces cannot be aligned to the network's input */
  constructor(session: ModelSession, preprocess: PreprocessSpec) {
    this.#session = session;
    this.#preprocess = preprocess;
    this.side = inputSide(session, DEFAULT_SIDE);
    if (!isAlignedSide(this.side)) {
      throw new RangeError(
        `The side of a face, ${this.side} pixels, is not a multiple of 112 or 128.`,
      );
    }
    this.#batchSize = takesBatches(session) ? MAX_BATCH : 1;
  }

  /**
   * @param faces aligned images of `side` x `side`, RGB, interleaved
   * @returns an L2-normalized vector for each face; the network determines the length
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
    return faces.map((_, index) => normalize(vectors.subarray(index * dim, (index + 1) * dim)));
  }
}

/**
 * Batches need a free batch dimension in both the input and the output. Many exports have a free
 * input but declare one output row. Among them are networks that quantize the activations of a run
 * together, so that the faces of a batch would change each other's embeddings.
 */
function takesBatches({ inputs, outputs }: ModelSession): boolean {
  return inputs[0]!.dims[0] === null && outputs[0]!.dims[0] === null;
}

function normalize(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const norm = Math.sqrt(square);
  return norm === 0 ? vector.slice() : vector.map((value) => value / norm);
}
