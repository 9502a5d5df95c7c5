import { ArchiveInvalid } from '@sightline/core/transfer/archive-errors';
import type { ArchiveEntries } from './archive-entries.ts';

const FLOAT_BYTES = 4;
/** The maximum size of an inflated file. A file that another program compressed has to fit into memory as a whole. */
const MAX_INFLATED_BYTES = 64 * 1024 ** 2;

/** How far rounding leaves a unit vector from length 1; other lengths would distort every comparison. */
const LENGTH_TOLERANCE = 1e-3;

/** The embeddings of a page, one after the other. */
export class PageVectors {
  readonly #entries: ArchiveEntries;
  readonly #name: string;
  #inflated: Promise<Uint8Array> | null = null;
  #checkedBytes = 0;

  /** @throws ArchiveInvalid if there is no such file, or it does not consist of floats */
  constructor(entries: ArchiveEntries, name: string) {
    this.#entries = entries;
    this.#name = name;
    if (entries.get(name).size % FLOAT_BYTES !== 0) {
      throw new ArchiveInvalid(name, 'does not consist of floats');
    }
  }

  /** @throws ArchiveInvalid if the bytes differ from those that the entry declares */
  async checkBytes(): Promise<void> {
    const chunks = this.#entries.read(this.#name);
    while ((await chunks.next()).done !== true);
  }

  /**
   * Checks one embedding. It is called once for each embedding of the page. Embeddings must not share bytes:
   * otherwise a small archive could take a lot of space when its embeddings are stored.
   *
   * @param offset of its first float
   * @throws ArchiveInvalid as `read`, and if the checked embeddings are together longer than the file
   */
  async check(offset: number, length: number): Promise<void> {
    await this.read(offset, length);
    this.#checkedBytes += length * FLOAT_BYTES;
    if (this.#checkedBytes > this.#entries.get(this.#name).size) {
      throw this.#invalid(offset, 'overlaps another one');
    }
  }

  /**
   * Reads one embedding.
   *
   * @param offset of its first float
   * @throws ArchiveInvalid if it is beyond the end, or no unit vector
   */
  async read(offset: number, length: number): Promise<Float32Array> {
    const { size, isDeflated } = this.#entries.get(this.#name);
    const part = { offset: offset * FLOAT_BYTES, size: length * FLOAT_BYTES };
    if (part.offset + part.size > size) throw this.#invalid(offset, 'is not there');
    const bytes = isDeflated
      ? await this.#partOfInflated(part)
      : await this.#entries.readPart(this.#name, part);
    const vector = toFloats(bytes);
    const squares = vector.reduce((sum, value) => sum + value * value, 0);
    // The comparison is also false for a vector that contains NaN.
    if (Math.abs(Math.sqrt(squares) - 1) < LENGTH_TOLERANCE) return vector;
    throw this.#invalid(offset, 'is no unit vector');
  }

  async #partOfInflated({ offset, size }: { readonly offset: number; readonly size: number }) {
    this.#inflated ??= this.#entries.readWhole(this.#name, MAX_INFLATED_BYTES);
    return (await this.#inflated).subarray(offset, offset + size);
  }

  #invalid(offset: number, problem: string): ArchiveInvalid {
    return new ArchiveInvalid(this.#name, `is unsound: the vector at ${offset} ${problem}`);
  }
}

/** Reads little-endian floats, whatever the byte order of the machine. */
function toFloats(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.byteLength / FLOAT_BYTES }, (_, i) =>
    view.getFloat32(i * FLOAT_BYTES, true),
  );
}
