export const START_OF_SCAN = 0xda;
export const APP1 = 0xe1;
export const APP2 = 0xe2;
const END_OF_IMAGE = 0xd9;
const TEMPORARY = 0x01;
const FIRST_RESTART = 0xd0;
const LAST_RESTART = 0xd7;

export interface JpegSegment {
  readonly marker: number;
  /** The offset of the payload, which follows marker and length. */
  readonly payload: number;
}

/**
 * Yields the segments of the first image in a JPEG file, in order. Like a decoder, it skips the
 * entropy-coded data of scans, fill bytes, and anything else that is not a marker.
 *
 * @returns whether the image ends with its marker
 */
export function* jpegSegments(bytes: Uint8Array): Generator<JpegSegment, boolean> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = nextMarker(bytes, 2); // behind the start of the image
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1]!;
    if (marker === END_OF_IMAGE) return true;
    yield { marker, payload: at + 4 };
    at = nextMarker(bytes, at + 2 + view.getUint16(at + 2));
  }
  return bytes[at + 1] === END_OF_IMAGE;
}

function nextMarker(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    if (beginsSegment(bytes[at + 1])) return at;
  }
  return bytes.length;
}

/**
 * Returns whether 0xff followed by this byte begins a segment. A stuffed 0, a fill byte and the
 * code of a standalone marker do not.
 */
function beginsSegment(second: number | undefined): boolean {
  if (second === undefined || second <= TEMPORARY || second === 0xff) return false;
  return second < FIRST_RESTART || second > LAST_RESTART;
}
