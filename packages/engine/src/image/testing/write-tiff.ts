/** The fields of a directory: for each tag its values, as 32-bit numbers, or as bytes. */
export type TiffFields = Readonly<Record<number, readonly number[] | Uint8Array>>;

export interface TiffPage {
  readonly fields: TiffFields;
  /** The strips of the image, or its tiles if a field gives their width. */
  readonly parts: readonly Uint8Array[];
  /** The directories that the field SubIFDs names. */
  readonly nested?: readonly TiffPage[];
}

const LONG = 4;
const UNDEFINED = 7;
const TILE_WIDTH = 322;
const SUB_DIRECTORIES = 330;
const FIELD_BYTES = 12;

/** Writes a little-endian TIFF. Pixels and values come before the directory that refers to them. */
export function writeTiff(...pages: readonly TiffPage[]): Uint8Array {
  const file = new TiffWriter();
  const header = file.append(Buffer.from('II*\0\0\0\0\0', 'latin1'));
  let link = { bytes: header.bytes, at: 4 };
  for (const page of pages) {
    const directory = file.appendPage(page);
    link.bytes.writeUInt32LE(directory.offset, link.at);
    link = { bytes: directory.bytes, at: directory.bytes.length - 4 };
  }
  return file.finish();
}

interface Chunk {
  readonly offset: number;
  readonly bytes: Buffer;
}

class TiffWriter {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  append(bytes: Buffer): Chunk {
    const offset = this.#length;
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    return { offset, bytes };
  }

  finish(): Uint8Array {
    return new Uint8Array(Buffer.concat(this.#chunks));
  }

  appendPage({ fields, parts, nested = [] }: TiffPage): Chunk {
    const [offsetsTag, sizesTag] = TILE_WIDTH in fields ? [324, 325] : [273, 279];
    const all: TiffFields = {
      [SUB_DIRECTORIES]: nested.map((page) => this.appendPage(page).offset),
      [offsetsTag]: parts.map((part) => this.append(Buffer.from(part)).offset),
      [sizesTag]: parts.map((part) => part.length),
      ...fields,
    };
    // JavaScript lists numeric keys in ascending order, as TIFF requires.
    const entries = Object.entries(all).map(([tag, values]) => this.#field(Number(tag), values));
    const count = Buffer.alloc(2);
    count.writeUInt16LE(entries.length);
    return this.append(Buffer.concat([count, ...entries, Buffer.alloc(4)]));
  }

  #field(tag: number, values: readonly number[] | Uint8Array): Buffer {
    const isBytes = values instanceof Uint8Array;
    const bytes = isBytes ? Buffer.from(values) : Buffer.from(Uint32Array.from(values).buffer);
    const field = Buffer.alloc(FIELD_BYTES);
    field.writeUInt16LE(tag, 0);
    field.writeUInt16LE(isBytes ? UNDEFINED : LONG, 2);
    field.writeUInt32LE(values.length, 4);
    if (bytes.length <= 4) bytes.copy(field, 8);
    else field.writeUInt32LE(this.append(bytes).offset, 8);
    return field;
  }
}
