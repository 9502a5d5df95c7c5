/** A decoded image: 8-bit sRGB, upright. */
export interface Raster {
  /** R, G, B interleaved, row-major without padding: 3 * width * height bytes. */
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Gives the memory of a raster back at once. The garbage collector would do it, but it does not know
 * how much memory is behind a buffer of a native library, and may let several images pile up.
 */
export function freePixels({ data }: Raster): void {
  const { buffer } = data;
  // Other things would lose their memory with a buffer that is not the raster's alone.
  const ownsBuffer = 'transfer' in buffer && buffer.byteLength === data.byteLength;
  if (ownsBuffer && !buffer.detached) buffer.transfer(0);
}
