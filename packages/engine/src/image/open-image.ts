import type { Raster } from './raster.ts';

/** A picture whose header has been read and whose pixels have not been touched. */
export interface OpenImage {
  /** Width and height in pixels before the orientation is applied. */
  readonly width: number;
  readonly height: number;
  /**
   * Decodes the first picture of the file: upright, sRGB, alpha flattened onto white.
   *
   * @throws ImageCorrupt, UnsupportedFormat, ImageTooLarge
   */
  decode(): Promise<Raster>;
}
