import { bytesOf, type ZipEntry } from './zip-entry.ts';
import { writeFields } from './zip-fields.ts';

const CENTRAL_HEADER = 0x02014b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const END = 0x06054b50;

/**
 * Values from PKWARE's APPNOTE 4.4: Deflate needs version 2.0, ZIP64 needs version 4.5; `UNIX` marks the maker's
 * system.
 */
const [VERSION, VERSION_64, UNIX] = [20, 45, 3 << 8];
/** The mode of a regular file that its owner may write and everyone may read. */
const FILE_MODE = (0o100644 << 16) >>> 0;
const ZIP64_EXTRA = 1;
/**
 * The largest values of 16-bit and 32-bit fields. A larger number is stored in a ZIP64 field, and its normal field has
 * all bits set.
 */
const [MAX_16, MAX_32] = [0xffff, 0xffffffff];

const BLOCK_BYTES = 64 * 1024;
const METHODS = { stored: 0, deflated: 8 } as const;

/** The fields that the local header and the directory header of an entry share, from `version needed` on. */
export function commonFields(
  { name, method, crc, size, chunks }: ZipEntry,
  { isFar, modified }: { readonly isFar: boolean; readonly modified: Date },
): Buffer {
  const packed = bytesOf(chunks);
  if (size >= MAX_32 || packed >= MAX_32) throw new RangeError(`${name} is too large.`);
  const { date, time } = dosTime(modified);
  return writeFields(
    [2, isFar ? VERSION_64 : VERSION],
    [2, 0],
    [2, METHODS[method]],
    [2, time],
    [2, date],
    [4, crc],
    [4, packed],
    [4, size],
    [2, name.length],
  );
}

/**
 * Collects the directory that ends a ZIP. Entries are kept in their encoded form (about 70 bytes per file), because the
 * directory can be written only after the last file.
 */
export class ZipDirectory {
  readonly #modified: Date;
  readonly #full: Buffer[] = [];
  #block = Buffer.allocUnsafe(BLOCK_BYTES);
  #used = 0;
  #entries = 0;
  #size = 0;

  /** @param modified the modification time of all files */
  constructor(modified: Date) {
    this.#modified = modified;
  }

  /** @param offset the position of the entry's local header in the ZIP */
  add(entry: ZipEntry, offset: number): void {
    const isFar = offset >= MAX_32;
    const extra = isFar ? writeFields([2, ZIP64_EXTRA], [2, 8], [8, offset]) : Buffer.alloc(0);
    this.#append(
      writeFields([4, CENTRAL_HEADER], [2, UNIX | VERSION]),
      commonFields(entry, { isFar, modified: this.#modified }),
      writeFields([2, extra.length], [2, 0], [2, 0], [2, 0], [4, FILE_MODE]),
      writeFields([4, isFar ? MAX_32 : offset]),
      Buffer.from(entry.name, 'latin1'),
      extra,
    );
    this.#entries += 1;
  }

  /**
   * The encoded directory and end records.
   *
   * @param offset the position of the directory, which begins where the last file ends
   */
  *chunks(offset: number): Generator<Buffer> {
    yield* this.#full;
    yield this.#block.subarray(0, this.#used);
    const isLarge = this.#entries >= MAX_16 || this.#size >= MAX_32 || offset >= MAX_32;
    if (isLarge) yield this.#end64(offset);
    const entries = Math.min(this.#entries, MAX_16);
    yield writeFields(
      [4, END],
      [2, 0],
      [2, 0],
      [2, entries],
      [2, entries],
      [4, Math.min(this.#size, MAX_32)],
      [4, Math.min(offset, MAX_32)],
      [2, 0],
    );
  }

  /** The ZIP64 end record of the directory, and the locator that points to the record. */
  #end64(offset: number): Buffer {
    const end = writeFields(
      [4, END_64],
      [8, 44],
      [2, UNIX | VERSION_64],
      [2, VERSION_64],
      [4, 0],
      [4, 0],
      [8, this.#entries],
      [8, this.#entries],
      [8, this.#size],
      [8, offset],
    );
    return Buffer.concat([
      end,
      writeFields([4, LOCATOR_64], [4, 0], [8, offset + this.#size], [4, 1]),
    ]);
  }

  #append(...fields: readonly Buffer[]): void {
    const length = bytesOf(fields);
    if (this.#used + length > this.#block.length) {
      this.#full.push(this.#block.subarray(0, this.#used));
      this.#block = Buffer.allocUnsafe(BLOCK_BYTES);
      this.#used = 0;
    }
    for (const field of fields) this.#used += field.copy(this.#block, this.#used);
    this.#size += length;
  }
}

/** Encodes a time like MS-DOS, in UTC because the format has no time zone, and rounded down to two seconds. */
function dosTime(at: Date): { readonly date: number; readonly time: number } {
  const year = Math.max(1980, at.getUTCFullYear()) - 1980;
  return {
    date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}
