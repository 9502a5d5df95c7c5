const EXIF_DIRECTORY = 0x8769;
const DATE_TIME_ORIGINAL = 0x9003;
const OFFSET_TIME_ORIGINAL = 0x9011;
const ASCII = 2;
const LONG = 4;
const LITTLE_ENDIAN = 0x49;
/** The most fields of a directory that are read. Cameras write about a hundred. */
const MAX_FIELDS = 1000;
/** The most characters of a text that are read. A time has 19. */
const MAX_TEXT = 64;

const TIME = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)/;
const OFFSET = /^([+-])(\d\d):([0-5]\d)/;
const MS_PER_MINUTE = 60_000;
/** UTC+14:00 is the greatest offset that any place has. */
const MAX_OFFSET_MINUTES = 14 * 60;
/** The years that the database can store. */
const [FIRST, LAST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/**
 * Returns when a photo was taken, from its EXIF data: DateTimeOriginal with its offset, in UTC if there is no offset.
 * Returns null without such a time, and for data that is damaged.
 *
 * @param tiff the EXIF data, which has the form of a TIFF file
 */
export function readExifTime(tiff: Uint8Array): Date | null {
  try {
    const file = new Exif(tiff);
    const directory = file.number(file.first, EXIF_DIRECTORY);
    if (directory === null) return null;
    return toTime(
      file.text(directory, DATE_TIME_ORIGINAL),
      file.text(directory, OFFSET_TIME_ORIGINAL),
    );
  } catch {
    // A position is outside of the data.
    return null;
  }
}

function toTime(text: string | null, offset: string | null): Date | null {
  const parts = TIME.exec(text ?? '');
  if (parts === null) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1);
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const local = new Date(`${written}Z`);
  // A day that a month does not have would be taken for one of the next month.
  if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(written)) return null;
  const time = local.getTime() - offsetOf(offset) * MS_PER_MINUTE;
  return time >= FIRST && time <= LAST ? new Date(time) : null;
}

/** Returns an offset in minutes, and 0 for a text that is no offset. */
function offsetOf(text: string | null): number {
  const parts = OFFSET.exec(text ?? '');
  if (parts === null) return 0;
  const minutes = Number(parts[2]) * 60 + Number(parts[3]);
  if (minutes > MAX_OFFSET_MINUTES) return 0;
  return parts[1] === '-' ? -minutes : minutes;
}

/** The directories of EXIF data. The data is not trusted: every method throws a RangeError beyond its end. */
class Exif {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #little: boolean;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#little = bytes[0] === LITTLE_ENDIAN;
  }

  /** The offset of the first directory. */
  get first(): number {
    return this.#view.getUint32(4, this.#little);
  }

  number(directory: number, tag: number): number | null {
    const field = this.#field(directory, tag, LONG);
    return field === null ? null : this.#view.getUint32(field + 8, this.#little);
  }

  text(directory: number, tag: number): string | null {
    const field = this.#field(directory, tag, ASCII);
    if (field === null) return null;
    const length = this.#view.getUint32(field + 4, this.#little);
    const at = length <= 4 ? field + 8 : this.#view.getUint32(field + 8, this.#little);
    const end = at + Math.min(length, MAX_TEXT);
    return Buffer.from(this.#bytes.subarray(at, end)).toString('latin1');
  }

  #field(directory: number, tag: number, type: number): number | null {
    const count = Math.min(this.#view.getUint16(directory, this.#little), MAX_FIELDS);
    for (let i = 0; i < count; i++) {
      const at = directory + 2 + i * 12;
      if (this.#view.getUint16(at, this.#little) !== tag) continue;
      return this.#view.getUint16(at + 2, this.#little) === type ? at : null;
    }
    return null;
  }
}
