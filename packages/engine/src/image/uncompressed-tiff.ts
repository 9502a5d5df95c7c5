export interface TiffImage {
  readonly width: number;
  readonly height: number;
  /** 3 channels are RGB, and 4 channels are RGB with straight alpha. */
  readonly channels: 3 | 4;
  readonly iccProfile: Uint8Array | null;
}

export interface UncompressedTiff {
  readonly bytes: Uint8Array;
  /**
   * The part of the file for the pixels, interleaved without padding. The caller fills this part.
   */
  readonly pixels: Uint8Array;
}

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;

type Field = readonly [tag: number, type: number, count: number, valueOrOffset: number];

const DIRECTORY_AT = 8;
const FIELD_BYTES = 12;
const MAX_FIELDS = 12;
const BITS_AT = DIRECTORY_AT + 2 + MAX_FIELDS * FIELD_BYTES + 4;
const PROFILE_AT = BITS_AT + 8;

/**
 * Lays out a TIFF 6.0 file of one uncompressed strip. The file passes the pixels of one decoder to
 * another decoder that supports color profiles and alpha.
 */
export function layOutTiff(image: TiffImage): UncompressedTiff {
  const { width, height, channels, iccProfile } = image;
  const pixelsAt = PROFILE_AT + (iccProfile?.length ?? 0);
  const pixelBytes = width * height * channels;
  const bytes = new Uint8Array(pixelsAt + pixelBytes);
  const fields: Field[] = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, channels, BITS_AT],
    [259, SHORT, 1, 1], // no compression
    [262, SHORT, 1, 2], // RGB
    [273, LONG, 1, pixelsAt],
    [277, SHORT, 1, channels],
    [278, LONG, 1, height], // rows in the strip
    [279, LONG, 1, pixelBytes],
    [284, SHORT, 1, 1], // interleaved
  ];
  if (channels === 4) fields.push([338, SHORT, 1, 2]); // straight alpha
  if (iccProfile !== null) fields.push([34675, UNDEFINED, iccProfile.length, PROFILE_AT]);

  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x49492a00); // the byte order "II", then the number 42
  view.setUint32(4, DIRECTORY_AT, true);
  view.setUint16(DIRECTORY_AT, fields.length, true);
  for (const [i, field] of fields.entries()) {
    writeField(view, DIRECTORY_AT + 2 + i * FIELD_BYTES, field);
  }
  for (let i = 0; i < channels; i++) view.setUint16(BITS_AT + 2 * i, 8, true);
  if (iccProfile !== null) bytes.set(iccProfile, PROFILE_AT);
  return { bytes, pixels: bytes.subarray(pixelsAt) };
}

function writeField(view: DataView, at: number, [tag, type, count, valueOrOffset]: Field): void {
  view.setUint16(at, tag, true);
  view.setUint16(at + 2, type, true);
  view.setUint32(at + 4, count, true);
  view.setUint32(at + 8, valueOrOffset, true);
}
