/** A decoded, upright 8-bit sRGB image. */
export interface Raster {
  /** RGB, interleaved, row by row without padding: 3 * width * height bytes. */
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/**
 * Frees the memory of a raster at once. The garbage collector would free it later and might let
 * several images pile up, because it does not know how much memory is behind a buffer of a native
 * library.
 */
export function freePixels({ data }: Raster): void {
  const { buffer } = data;
  // Freeing a buffer that the raster shares would also take the memory of its other views.
  const ownsBuffer = 'transfer' in buffer && buffer.byteLength === data.byteLength;
  if (ownsBuffer && !buffer.detached) buffer.transfer(0);
}
