import { packInto } from '../kernels/pack-tensor.ts';
import type { PreprocessSpec } from '../math/pack-tensor.ts';
import type { FloatTensor, ModelSession } from '../onnx/session.ts';
import { inputSide } from './input-side.ts';

/**
 * The maximum number of faces in one run. Each face takes 5 to 10 MB in the runtime, which never
 * frees the memory of its largest run. On a CPU larger batches are not faster (measured with SFace
 * and faceres).
 */
const MAX_BATCH = 4;

export interface FaceNetSpec {
  readonly preprocess: PreprocessSpec;
  readonly defaultSide: number;
}

/**
 * A network that takes square images of one face each, and several images in a run if its graph
 * allows batches.
 */
export class FaceNet {
  /** The side in pixels of the images that the network takes. */
  readonly side: number;
  readonly #session: ModelSession;
  readonly #preprocess: PreprocessSpec;
  readonly #batchSize: number;

  /** @throws RangeError if the network's input is not square */
  constructor(session: ModelSession, { preprocess, defaultSide }: FaceNetSpec) {
    this.#session = session;
    this.#preprocess = preprocess;
    this.side = inputSide(session, defaultSide);
    this.#batchSize = takesBatches(session) ? MAX_BATCH : 1;
  }

  /**
   * @param cropOf returns the image of a face, `side` x `side`, RGB, interleaved. It is called just
   *   before the batch of that face runs, so that the images of a crowd are not all in memory at
   *   once.
   * @returns for each face its outputs in the order of the graph, as if the face were alone
   * @throws RangeError if the network does not return one row per face
   */
  async run<Face>(
    faces: readonly Face[],
    cropOf: (face: Face) => Uint8Array,
  ): Promise<FloatTensor[][]> {
    const results: FloatTensor[][] = [];
    for (let start = 0; start < faces.length; start += this.#batchSize) {
      const batch = faces.slice(start, start + this.#batchSize);
      results.push(...(await this.#runBatch(batch.map(cropOf))));
    }
    return results;
  }

  async #runBatch(crops: readonly Uint8Array[]): Promise<FloatTensor[][]> {
    const { side } = this;
    const length = 3 * side * side;
    const data = new Float32Array(length * crops.length);
    for (const [index, crop] of crops.entries()) {
      packInto(data.subarray(index * length, (index + 1) * length), crop, this.#preprocess);
    }
    const { inputs, outputs } = this.#session;
    const results = await this.#session.run({
      [inputs[0]!.name]: { data, dims: [crops.length, 3, side, side] },
    });
    const tensors = outputs.map(({ name }) => results[name]!);
    return crops.map((_, row) => tensors.map((tensor) => rowOf(tensor, row, crops.length)));
  }
}

/**
 * Returns whether the input and all outputs have a free batch dimension. Many exports have a free
 * input but declare one output row. Some of those networks quantize the activations of a run
 * together, so the faces of a batch would change each other's results.
 */
function takesBatches({ inputs, outputs }: ModelSession): boolean {
  return [...inputs, ...outputs].every(({ dims }) => dims[0] === null);
}

function rowOf({ data, dims }: FloatTensor, row: number, rows: number): FloatTensor {
  if (rows === 1) return { data, dims };
  if (dims[0] !== rows) {
    throw new RangeError(`The network returns ${dims[0]} rows for ${rows} faces.`);
  }
  const length = data.length / rows;
  return { data: data.subarray(row * length, (row + 1) * length), dims: [1, ...dims.slice(1)] };
}
