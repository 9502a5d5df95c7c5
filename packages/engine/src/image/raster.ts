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
  // Only a buffer that belongs to this raster alone is freed. If other arrays share the buffer, freeing it would
  // empty them too.
  const ownsBuffer = 'transfer' in buffer && buffer.byteLength === data.byteLength;
  if (ownsBuffer && !buffer.detached) buffer.transfer(0);
}
