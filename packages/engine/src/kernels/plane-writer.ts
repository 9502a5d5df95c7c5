import { normalizedValues, type PreprocessSpec } from '../math/pack-tensor.ts';
import { kernels, MEMORY } from './kernels.ts';
import type { Scratch } from './scratch.ts';

const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;
/**
 * The bytes of a strip of one plane. The strips of all three planes stay in a core's own cache
 * until they are copied.
 */
const STRIP_BYTES = 64 * 1024;
/** Red, green and blue, in the order of the kernel's arguments. */
const COLORS = [0, 1, 2] as const;

export class PlaneWriter {
  readonly #tensor: Float32Array;
  readonly #colorOrder: PreprocessSpec['colorOrder'];
  readonly #table: number;
  readonly #strips: readonly [number, number, number];
  readonly #capacity: number;
  /**
   * The number of pixels in the strips, and the position of the first of these pixels in a plane.
   */
  #count = 0;
  #start = 0;

  /**
   * @param tensor three planes to fill
   * @param row most pixels per call of {@link write}
   */
  constructor(
    tensor: Float32Array,
    spec: PreprocessSpec,
    { scratch, row }: { readonly scratch: Scratch; readonly row: number },
  ) {
    this.#tensor = tensor;
    this.#colorOrder = spec.colorOrder;
    this.#table = scratch.take(COLORS.length * 256 * FLOAT_BYTES);
    this.#capacity = Math.max(row, STRIP_BYTES / FLOAT_BYTES);
    const strip = () => scratch.take(this.#capacity * FLOAT_BYTES);
    this.#strips = [strip(), strip(), strip()];
    for (const color of COLORS) {
      const channel = this.#channelOf(color);
      const values = normalizedValues(spec.mean[channel]!, spec.std[channel]!);
      MEMORY.float32.set(values, (this.#table >> 2) + 256 * color);
    }
  }

  /**
   * @param pixels address of RGB bytes
   * @param count number of pixels
   * @param at position of the first pixel in a plane
   */
  write(pixels: number, count: number, at: number): void {
    const continues = at === this.#start + this.#count;
    if (!continues || this.#count + count > this.#capacity) {
      this.flush();
      this.#start = at;
    }
    const [red, green, blue] = this.#strips;
    const offset = this.#count * FLOAT_BYTES;
    kernels.packPlanes(pixels, count, this.#table, red + offset, green + offset, blue + offset);
    this.#count += count;
  }

  /** Copies the pixels that are still in the strips to the tensor. */
  flush(): void {
    const plane = this.#tensor.length / 3;
    for (const color of COLORS) {
      const from = this.#strips[color] >> 2;
      const values = MEMORY.float32.subarray(from, from + this.#count);
      this.#tensor.set(values, this.#channelOf(color) * plane + this.#start);
    }
    this.#count = 0;
  }

  #channelOf(color: number): number {
    return this.#colorOrder === 'rgb' ? color : 2 - color;
  }
}
