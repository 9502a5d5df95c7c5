export const START_OF_SCAN = 0xda;
export const APP2 = 0xe2;
const END_OF_IMAGE = 0xd9;

export interface JpegSegment {
  readonly marker: number;
  /** Where the payload begins, behind marker and length. */
  readonly payload: number;
}

/**
 * The segments of the first picture of a JPEG file, in order; the entropy-coded data behind the
 * header of a scan are stepped over. Ends where the picture ends or the bytes make no sense.
 */
export function* jpegSegments(bytes: Uint8Array): Generator<JpegSegment> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 2; // behind the start of the image
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1]!;
    if (marker === END_OF_IMAGE) return;
    if (marker === 0xff) {
      at += 1; // a fill byte
      continue;
    }
    yield { marker, payload: at + 4 };
    at += 2 + view.getUint16(at + 2);
    if (marker === START_OF_SCAN) at = nextMarker(bytes, at);
  }
}

/** In entropy-coded data a byte of 0xff is followed by 0 or a restart marker, else it ends them. */
function nextMarker(bytes: Uint8Array, from: number): number {
  for (let at = from; ; at += 2) {
    at = bytes.indexOf(0xff, at);
    if (at === -1) return bytes.length;
    const next = bytes[at + 1];
    if (next !== 0 && !(next !== undefined && next >= 0xd0 && next <= 0xd7)) return at;
  }
}
