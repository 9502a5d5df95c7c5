import type { Raster } from '../image/raster.ts';
import type { Size } from '../math/resize-bilinear.ts';
import type { Scratch } from './scratch.ts';

export interface Resizing {
  readonly source: Raster;
  readonly size: Size;
  readonly scratch: Scratch;
}

/**
 * Receives the rows of a resized image, from top to bottom.
 *
 * @param row address of the row's RGB bytes, valid during the call
 * @param y index of the row
 */
export type RowReceiver = (row: number, y: number) => void;
