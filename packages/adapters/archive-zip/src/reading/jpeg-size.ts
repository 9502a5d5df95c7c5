export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const START_OF_IMAGE = 0xffd8;
const START_OF_SCAN = 0xda;
/**
 * Markers with numbers in the range of frame headers that begin no frame: Huffman tables, an extension, arithmetic
 * coding.
 */
const NO_FRAMES = [0xc4, 0xc8, 0xcc];

/**
 * The size in the frame header of a JPEG; null if the bytes do not begin like a JPEG. The image data is not decoded and
 * may be damaged.
 */
export function jpegSize(bytes: Uint8Array): PictureSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 4 || view.getUint16(0) !== START_OF_IMAGE) return null;
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = view.getUint8(at + 1);
    if (view.getUint8(at) !== 0xff || marker === START_OF_SCAN) return null;
    if (marker === 0xff) {
      at += 1; // a fill byte
      continue;
    }
    if (isFrame(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && !NO_FRAMES.includes(marker);
}
