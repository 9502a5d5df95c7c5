/** The tags of a TIFF directory that decide how its image is decoded (TIFF 6.0, TIFF/EP and DNG). */
export const TIFF_TAG = {
  newSubfileType: 254,
  subfileType: 255,
  width: 256,
  height: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  planarConfiguration: 284,
  tileWidth: 322,
  subDirectories: 330,
  inkSet: 332,
  extraSamples: 338,
  sampleFormat: 339,
  luminanceWeights: 529,
  chromaSubsampling: 530,
  referenceBlackWhite: 532,
  colorFilterArray: 33421,
  iccProfile: 34675,
  dngVersion: 50706,
} as const;

const KNOWN_TAGS: ReadonlySet<number> = new Set(Object.values(TIFF_TAG));

/** The size in bytes of a value of each type; 0 for unknown types. */
const TYPE_BYTES = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
const LONG = 4;
const RATIONAL = 5;
/** The most values of a tag that are read as numbers. Only color maps and offsets of strips have more. */
const MAX_VALUES = 64;
/** The most strips that are read: one for each row of the largest image. */
const MAX_STRIPS = 65_536;
/** The most directories that are read. Files with more are documents of many pages. */
const MAX_DIRECTORIES = 32;
/** The maximum number of fields of a directory, which only a BigTIFF could exceed. */
const MAX_FIELDS = 65_535;

interface Field {
  /** The offset of the field in the file. */
  readonly fieldAt: number;
  readonly type: number;
  readonly count: number;
  /** The offset of the values in the file. */
  readonly at: number;
}

/** One directory of a TIFF file. */
export class TiffDirectory {
  readonly #file: TiffFile;
  readonly #fields: ReadonlyMap<number, Field>;

  constructor(file: TiffFile, fields: ReadonlyMap<number, Field>) {
    this.#file = file;
    this.#fields = fields;
  }

  has(tag: number): boolean {
    return this.#fields.has(tag);
  }

  /** Returns the first value of a tag, or the default if the tag is missing. */
  number(tag: number, missing: number): number {
    return this.numbers(tag)[0] ?? missing;
  }

  /** Returns the values of a tag, of which there may be none. Fractions are divided. */
  numbers(tag: number, most = MAX_VALUES): number[] {
    const field = this.#fields.get(tag);
    if (field === undefined) return [];
    const size = TYPE_BYTES[field.type]!;
    return Array.from({ length: Math.min(field.count, most) }, (_, i) =>
      this.#file.value(field.type, field.at + i * size),
    );
  }

  /** Returns the strips of the image; none if they are not listed with their sizes, or share bytes. */
  strips(): Uint8Array[] {
    const offsets = this.numbers(TIFF_TAG.stripOffsets, MAX_STRIPS);
    const sizes = this.numbers(TIFF_TAG.stripByteCounts, MAX_STRIPS);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    if (offsets.length !== sizes.length || total > this.#file.bytes.length) return [];
    return offsets.map((offset, i) => this.#file.bytes.subarray(offset, offset + sizes[i]!));
  }

  /** Returns a copy of the file in which the image has the given strips, which follow all other bytes. */
  withStrips(strips: readonly Uint8Array[]): Uint8Array {
    const { bytes } = this.#file;
    const tables = bytes.length + (bytes.length % 2);
    const offsets: number[] = [];
    let end = tables + 2 * strips.length * TYPE_BYTES[LONG]!;
    for (const strip of strips) {
      offsets.push(end);
      end += strip.length;
    }
    const copy = new Uint8Array(end);
    copy.set(bytes);
    for (const [i, strip] of strips.entries()) copy.set(strip, offsets[i]);
    const file = new TiffFile(copy);
    const sizes = strips.map(({ length }) => length);
    const fieldOf = (tag: number) => this.#fields.get(tag)!.fieldAt;
    file.setNumbers(fieldOf(TIFF_TAG.stripOffsets), offsets, tables);
    file.setNumbers(fieldOf(TIFF_TAG.stripByteCounts), sizes, tables + 4 * strips.length);
    return copy;
  }

  /** Returns the bytes of a tag, or null if the tag is missing. */
  bytes(tag: number): Uint8Array | null {
    const field = this.#fields.get(tag);
    if (field === undefined) return null;
    return this.#file.bytes.subarray(field.at, field.at + field.count * TYPE_BYTES[field.type]!);
  }
}

/** The sizes and offsets in which classic TIFF and BigTIFF differ. */
const CLASSIC = { firstAt: 4, countBytes: 2, fieldBytes: 12, inlineBytes: 4, offsetBytes: 4 };
const BIG = { firstAt: 8, countBytes: 8, fieldBytes: 20, inlineBytes: 8, offsetBytes: 8 };

/** The directories of a TIFF or BigTIFF. The file is not trusted: everything is read within its bounds. */
class TiffFile {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  readonly #littleEndian: boolean;
  readonly #layout: typeof CLASSIC;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#littleEndian = bytes[0] === 0x49;
    this.#layout = this.#unsigned(2, 2) === 43 ? BIG : CLASSIC;
  }

  get firstOffset(): number {
    return this.#unsigned(this.#layout.firstAt, this.#layout.offsetBytes);
  }

  /** @throws RangeError if the directory or a value that it needs is not within the file */
  directoryAt(offset: number): { directory: TiffDirectory; next: number } {
    const { countBytes, fieldBytes, inlineBytes, offsetBytes } = this.#layout;
    const count = this.#unsigned(offset, countBytes);
    if (count > MAX_FIELDS) throw new RangeError('The directory has too many fields.');
    const fields = new Map<number, Field>();
    const end = offset + countBytes + count * fieldBytes;
    if (end + offsetBytes > this.bytes.length) throw new RangeError('The directory is cut off.');
    for (let at = offset + countBytes; at < end; at += fieldBytes) {
      const type = this.#unsigned(at + 2, 2);
      const values = this.#unsigned(at + 4, offsetBytes);
      const valueAt = at + 4 + offsetBytes;
      const inline = values * (TYPE_BYTES[type] ?? 0) <= inlineBytes;
      const field = {
        fieldAt: at,
        type,
        count: values,
        at: inline ? valueAt : this.#unsigned(valueAt, offsetBytes),
      };
      const tag = this.#unsigned(at, 2);
      const bytes = values * (TYPE_BYTES[type] ?? 0);
      if (bytes === 0 || !KNOWN_TAGS.has(tag)) continue;
      if (field.at + bytes > this.bytes.length) throw new RangeError('A value is cut off.');
      fields.set(tag, field);
    }
    return {
      directory: new TiffDirectory(this, fields),
      next: this.#unsigned(end, offsetBytes),
    };
  }

  value(type: number, at: number): number {
    if (type === RATIONAL) return this.#unsigned(at, 4) / this.#unsigned(at + 4, 4);
    const size = TYPE_BYTES[type]!;
    return this.#unsigned(at, size);
  }

  /** Sets the values of a field. They are written at an offset in the file, unless they fit into the field. */
  setNumbers(fieldAt: number, values: readonly number[], offset: number): void {
    const { inlineBytes, offsetBytes } = this.#layout;
    const little = this.#littleEndian;
    const size = TYPE_BYTES[LONG]!;
    const valueAt = fieldAt + 4 + offsetBytes;
    this.#view.setUint16(fieldAt + 2, LONG, little);
    const isInline = values.length * size <= inlineBytes;
    if (!isInline) this.#setOffset(valueAt, offset);
    const from = isInline ? valueAt : offset;
    for (const [i, value] of values.entries()) {
      this.#view.setUint32(from + i * size, value, little);
    }
  }

  #setOffset(at: number, offset: number): void {
    if (this.#layout.offsetBytes === 4) this.#view.setUint32(at, offset, this.#littleEndian);
    else this.#view.setBigUint64(at, BigInt(offset), this.#littleEndian);
  }

  #unsigned(at: number, size: number): number {
    const little = this.#littleEndian;
    if (size === 1) return this.#view.getUint8(at);
    if (size === 2) return this.#view.getUint16(at, little);
    if (size === 4) return this.#view.getUint32(at, little);
    return Number(this.#view.getBigUint64(at, little));
  }
}

export interface TiffDirectories {
  /** The directory of the image that is decoded. */
  readonly first: TiffDirectory;
  /** The directories that the first one refers to: reduced or full versions of its image. */
  readonly nested: readonly TiffDirectory[];
  /** The directories that follow the first one, such as further pages. */
  readonly following: readonly TiffDirectory[];
}

/**
 * Reads the directories of a TIFF.
 *
 * @returns null if the first directory is damaged; damaged directories after it are skipped
 */
export function readTiff(bytes: Uint8Array): TiffDirectories | null {
  try {
    const file = new TiffFile(bytes);
    const { directory: first, next } = file.directoryAt(file.firstOffset);
    return {
      first,
      nested: first
        .numbers(TIFF_TAG.subDirectories)
        .slice(0, MAX_DIRECTORIES)
        .filter((offset, index, all) => all.indexOf(offset) === index)
        .flatMap((offset) => readChain(file, offset, 1)),
      following: readChain(file, next, MAX_DIRECTORIES),
    };
  } catch {
    return null;
  }
}

/** Reads up to `limit` directories, each of which names the offset of the next one. */
function readChain(file: TiffFile, offset: number, limit: number): TiffDirectory[] {
  const directories = new Map<number, TiffDirectory>();
  try {
    for (let at = offset; at !== 0 && directories.size < limit && !directories.has(at);) {
      const { directory, next } = file.directoryAt(at);
      directories.set(at, directory);
      at = next;
    }
  } catch {
    // A damaged directory after the first one does not matter to the first image.
  }
  return [...directories.values()];
}
