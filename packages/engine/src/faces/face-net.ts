import { packInto } from '../kernels/pack-tensor.ts';
import type { PreprocessSpec } from '../math/pack-tensor.ts';
import type { FloatTensor, ModelSession } from '../onnx/session.ts';
import type { SessionPeers } from '../onnx/session-peers.ts';
import { inputSide } from './input-side.ts';
import { type FacesMemory, SharedFaces } from './shared-faces.ts';

/**
 * The maximum number of faces in one run. Each face takes 5 to 10 MB in the runtime, which never
 * frees the memory of its largest run. On a CPU larger batches are not faster (measured with SFace
 * and faceres).
 */
const MAX_BATCH = 4;
/**
 * The maximum number of faces that are shared with other threads at once. Their images are all in memory; those of 32
 * faces take 1 to 5 MB.
 */
const MAX_SHARED = 32;
/**
 * How long a thread waits for the last faces of others, in multiples of its own slowest run. Then it runs these faces
 * itself.
 */
const MAX_WAIT_IN_RUNS = 3;

export interface FaceNetSpec {
  readonly preprocess: PreprocessSpec;
  readonly defaultSide: number;
}

/**
 * A network that takes square images of one face each, and several images in a run if its graph
 * allows batches. If the session has peers, idle threads run some of the faces. Each run then takes one face, so
 * that the results do not depend on which thread runs a face.
 */
export class FaceNet {
  /** The side in pixels of the images that the network takes. */
  readonly side: number;
  readonly #session: ModelSession;
  readonly #preprocess: PreprocessSpec;
  readonly #batchSize: number;
  readonly #peers: SessionPeers | undefined;
  /** The dimensions of the outputs for one face; null before the first run. */
  #outputDims: readonly (readonly number[])[] | null = null;

  /** @throws RangeError if the network's input is not square */
  constructor(session: ModelSession, { preprocess, defaultSide }: FaceNetSpec) {
    this.#session = session;
    this.#preprocess = preprocess;
    this.side = inputSide(session, defaultSide);
    this.#peers = session.peers;
    this.#batchSize = takesBatches(session) && this.#peers === undefined ? MAX_BATCH : 1;
    this.#peers?.onWork((work, signal) => this.#help(new SharedFaces(work as FacesMemory), signal));
  }

  /**
   * @param cropOf returns the image of a face, `side` x `side`, RGB, interleaved. It is called just
   *   before the batch of that face runs or is shared, so that the images of a crowd are not all in memory at
   *   once.
   * @returns for each face its outputs in the order of the graph, as if the face were alone
   * @throws RangeError if the network does not return one row per face
   */
  async run<Face>(
    faces: readonly Face[],
    cropOf: (face: Face) => Uint8Array,
  ): Promise<FloatTensor[][]> {
    const results: FloatTensor[][] = [];
    while (results.length < faces.length) {
      const left = faces.slice(results.length);
      const ran =
        left.length > 1 && this.#outputDims !== null && (this.#peers?.idle ?? 0) > 0
          ? await this.#runShared(left.slice(0, MAX_SHARED).map(cropOf), this.#peers!)
          : await this.#runBatch(left.slice(0, this.#batchSize).map(cropOf));
      results.push(...ran);
    }
    return results;
  }

  async #runShared(crops: readonly Uint8Array[], peers: SessionPeers): Promise<FloatTensor[][]> {
    const shared = SharedFaces.of(crops, total(this.#outputDims!.map(lengthOf)));
    peers.share(shared.memory, crops.length - 1);
    const own = new Map<number, FloatTensor[]>();
    let slowest = 0;
    try {
      for (let face = shared.claim(); face !== null; face = shared.claim()) {
        const start = performance.now();
        own.set(face, await this.#runOne(crops[face]!));
        slowest = Math.max(slowest, performance.now() - start);
        peers.throwIfAborted();
      }
      shared.waitForOthers(MAX_WAIT_IN_RUNS * slowest);
    } finally {
      shared.close();
    }
    const results: FloatTensor[][] = [];
    for (const [face, crop] of crops.entries()) {
      const row = own.has(face) ? null : shared.resultOf(face);
      results.push(row ? this.#split(row) : (own.get(face) ?? (await this.#runOne(crop))));
    }
    return results;
  }

  /** Runs faces for another thread. That thread runs a face again if it fails here, and reports the error. */
  async #help(shared: SharedFaces, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const face = shared.claim();
      if (face === null) return;
      try {
        const outputs = await this.#runOne(shared.cropOf(face));
        shared.put(
          face,
          outputs.map(({ data }) => data),
        );
      } catch {
        shared.fail(face);
        return;
      }
    }
  }

  async #runOne(crop: Uint8Array): Promise<FloatTensor[]> {
    const [outputs] = await this.#runBatch([crop]);
    return outputs!;
  }

  #split(row: Float32Array<ArrayBuffer>): FloatTensor[] {
    let start = 0;
    return this.#outputDims!.map((dims) => {
      const end = start + lengthOf(dims);
      const data = row.subarray(start, end);
      start = end;
      return { data, dims };
    });
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
    const rows = crops.map((_, row) => tensors.map((tensor) => rowOf(tensor, row, crops.length)));
    this.#outputDims ??= rows[0]!.map(({ dims }) => dims);
    return rows;
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

function lengthOf(dims: readonly number[]): number {
  return dims.reduce((product, length) => product * length, 1);
}

function total(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}
