import { kernels } from './kernels.ts';
import type { Resizing, RowReceiver } from './resizing.ts';
import { SourceRows } from './source-rows.ts';

/** Averages 2x2 pixels, as `resizeBilinear` does if both sides are exactly halved. */
export function halveRows({ source, size, scratch }: Resizing, receive: RowReceiver): void {
  const out = scratch.take(3 * size.width);
  const rows = new SourceRows(source, scratch, { rows: 2, ahead: true });
  for (let y = 0; y < size.height; y++) {
    const upper = rows.load(2 * y, 2);
    kernels.halveRows(upper, upper + rows.stride, size.width, out);
    receive(out, y);
  }
}
