import { ArchiveInvalid } from '@sightline/core/transfer/archive-errors';
import type { ArchiveEntries } from './archive-entries.ts';

const FLOAT_BYTES = 4;
/** The maximum size of a compressed vector file after decompression. The whole file is kept in memory. */
const MAX_INFLATED_BYTES = 64 * 1024 ** 2;
/** The maximum size of an uncompressed vector file that is read in one step instead of vector by vector. */
const MAX_WHOLE_BYTES = 4 * 1024 ** 2;

/** The accepted rounding error of a unit vector's length. Other lengths would distort every comparison. */
const LENGTH_TOLERANCE = 1e-3;

/** The file with the embeddings of one page, stored one after another. */
export class PageVectors {
  readonly #entries: ArchiveEntries;
  readonly #name: string;
  #whole: Promise<Uint8Array> | null = null;
  #checkedBytes = 0;

  /** @throws ArchiveInvalid if the file is missing, or its size is no multiple of a float's size */
  constructor(entries: ArchiveEntries, name: string) {
    this.#entries = entries;
    this.#name = name;
    if (entries.get(name).size % FLOAT_BYTES !== 0) {
      throw new ArchiveInvalid(name, 'is not a list of 4-byte floats');
    }
  }

  /** @throws ArchiveInvalid if the file's bytes differ from its declared size or checksum */
  async checkBytes(): Promise<void> {
    const chunks = this.#entries.read(this.#name);
    while ((await chunks.next()).done !== true);
  }

  /**
   * Checks one embedding. The caller checks each embedding of the page exactly once. Embeddings must not share bytes,
   * because a small archive could otherwise declare enough embeddings to fill the disk.
   *
   * @param offset the index of the embedding's first float
   * @throws ArchiveInvalid like `read`, and if all checked embeddings together are longer than the file
   */
  async check(offset: number, length: number): Promise<void> {
    await this.read(offset, length);
    this.#checkedBytes += length * FLOAT_BYTES;
    if (this.#checkedBytes > this.#entries.get(this.#name).size) {
      throw this.#invalid(offset, 'overlaps another vector');
    }
  }

  /**
   * Reads one embedding.
   *
   * @param offset the index of the embedding's first float
   * @throws ArchiveInvalid if the embedding ends beyond the file, or is no unit vector
   */
  async read(offset: number, length: number): Promise<Float32Array> {
    const { size, isDeflated } = this.#entries.get(this.#name);
    const part = { offset: offset * FLOAT_BYTES, size: length * FLOAT_BYTES };
    if (part.offset + part.size > size) throw this.#invalid(offset, 'ends beyond the file');
    const bytes =
      isDeflated || size <= MAX_WHOLE_BYTES
        ? await this.#partOfWhole(part)
        : await this.#entries.readPart(this.#name, part);
    const vector = toFloats(bytes);
    const squares = vector.reduce((sum, value) => sum + value * value, 0);
    // A vector that contains NaN does not pass this comparison either.
    if (Math.abs(Math.sqrt(squares) - 1) < LENGTH_TOLERANCE) return vector;
    throw this.#invalid(offset, 'is not a unit vector');
  }

  async #partOfWhole({ offset, size }: { readonly offset: number; readonly size: number }) {
    this.#whole ??= this.#entries.readWhole(this.#name, MAX_INFLATED_BYTES);
    return (await this.#whole).subarray(offset, offset + size);
  }

  #invalid(offset: number, problem: string): ArchiveInvalid {
    return new ArchiveInvalid(this.#name, `is invalid: the vector at ${offset} ${problem}`);
  }
}

function toFloats(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.byteLength / FLOAT_BYTES }, (_, i) =>
    view.getFloat32(i * FLOAT_BYTES, true),
  );
}
