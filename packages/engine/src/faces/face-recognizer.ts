import type { PreprocessSpec } from '../math/pack-tensor.ts';
import type { ModelSession } from '../onnx/session.ts';
import { isAlignedSide } from './align-face.ts';
import { FaceNet } from './face-net.ts';

const DEFAULT_SIDE = 112;

export class FaceRecognizer {
  /** The side in pixels of the aligned faces that {@link embed} takes. */
  readonly side: number;
  readonly #net: FaceNet;

  /** @throws RangeError if faces cannot be aligned to the network's input */
  constructor(session: ModelSession, preprocess: PreprocessSpec) {
    this.#net = new FaceNet(session, { preprocess, defaultSide: DEFAULT_SIDE });
    this.side = this.#net.side;
    if (!isAlignedSide(this.side)) {
      throw new RangeError(
        `The side of a face, ${this.side} pixels, is not a multiple of 112 or 128.`,
      );
    }
  }

  /**
   * @param faces aligned images of `side` x `side`, RGB, interleaved
   * @returns an L2-normalized vector for each face; the network determines the length
   */
  async embed(faces: readonly Uint8Array[]): Promise<Float32Array[]> {
    const results = await this.#net.run(faces, (face) => face);
    return results.map(([vector]) => normalize(vector!.data));
  }
}

function normalize(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const norm = Math.sqrt(square);
  return norm === 0 ? vector.slice() : vector.map((value) => value / norm);
}
