import { averageRows } from './average-rows.ts';
import { halveRows } from './halve-rows.ts';
import { interpolateRows } from './interpolate-rows.ts';
import type { Resizing, RowReceiver } from './resizing.ts';

/**
 * Resizes row by row, with the same results as `resizeArea` if `smooth`, and otherwise as
 * `resizeBilinear`.
 */
export function resizeRows(
  resizing: Resizing & { readonly smooth: boolean },
  receive: RowReceiver,
): void {
  const { source, size, smooth } = resizing;
  const grows = size.width > source.width || size.height > source.height;
  const halves = source.width === size.width * 2 && source.height === size.height * 2;
  if (smooth && !grows) averageRows(resizing, receive);
  else if (halves) halveRows(resizing, receive);
  else interpolateRows(resizing, receive);
}
