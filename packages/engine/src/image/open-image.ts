import type { Raster } from './raster.ts';

/** An image whose header has been read and whose pixels have not been decoded. */
export interface OpenImage {
  /** The width and height in pixels before the orientation is applied. */
  readonly width: number;
  readonly height: number;
  /**
   * The most memory that the decoder takes, as a number of decoded pixels (3 bytes each); default: the pixels of the
   * image.
   */
  readonly cost?: number;
  /**
   * Decodes the first image of the file to an upright sRGB raster with alpha flattened onto white.
   *
   * @throws ImageCorrupt, UnsupportedFormat, ImageTooLarge
   */
  decode(): Promise<Raster>;
}
