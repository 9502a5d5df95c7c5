const START_OF_IMAGE = 0xff_d8;
/** The markers of frames (SOF0 to SOF15), without DHT, JPG and DAC, which lie between them. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

export interface JpegSize {
  readonly width: number;
  readonly height: number;
}

/** Reads the size of a JPEG from its header, in pixels, without decoding it. Returns null if the bytes are no JPEG. */
export function jpegSize(bytes: Uint8Array): JpegSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 4 || view.getUint16(0) !== START_OF_IMAGE) return null;
  for (let at = 2; at + 9 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null;
    if (isFrame(view.getUint8(at + 1))) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}
