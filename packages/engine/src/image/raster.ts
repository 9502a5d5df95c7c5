/** A decoded image: 8-bit sRGB, upright. */
export interface Raster {
  /** R, G, B interleaved, row-major without padding: 3 * width * height bytes. */
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}
