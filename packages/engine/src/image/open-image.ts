import type { Raster } from './raster.ts';

/** An image whose header has been read and whose pixels have not been decoded. */
export interface OpenImage {
  /** Width and height in pixels before the orientation is applied. */
  readonly width: number;
  readonly height: number;
  /**
   * Decodes the first image of the file: upright, sRGB, alpha flattened onto white.
   *
   * @throws ImageCorrupt, UnsupportedFormat, ImageTooLarge
   */
  decode(): Promise<Raster>;
}
