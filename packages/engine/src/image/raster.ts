/** A decoded image: 8-bit sRGB, upright. */
export interface Raster {
  /** R, G, B interleaved, row-major without padding: 3 * width * height bytes. */
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Frees the memory of a raster at once. The garbage collector would free it later, but it does not
 * know how much memory is behind a buffer of a native library, and may let several images pile up.
 */
export function freePixels({ data }: Raster): void {
  const { buffer } = data;
  // Freeing a buffer that the raster shares would also take the memory of its other views.
  const ownsBuffer = 'transfer' in buffer && buffer.byteLength === data.byteLength;
  if (ownsBuffer && !buffer.detached) buffer.transfer(0);
}
