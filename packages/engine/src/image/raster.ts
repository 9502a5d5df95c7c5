import { freeBuffer } from './free-buffer.ts';

/** A decoded, upright 8-bit sRGB image. */
export interface Raster {
  /** RGB, interleaved, row by row without padding: 3 * width * height bytes. */
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Frees the memory of a raster at once. */
export function freePixels({ data }: Raster): void {
  freeBuffer(data);
}
