/** A head byte that stands for nothing. Greater ones repeat the next byte; others stand before different bytes. */
const NOTHING = 128;
const MAX_RUN = 128;

export interface PackedRows {
  /** The bytes of a row after decoding, at least 1. */
  readonly rowBytes: number;
  readonly rows: number;
}

/**
 * Splits the runs of PackBits data at the ends of rows. The specification demands that each row is packed separately
 * (TIFF 6.0, section 9), but some writers pack a whole strip. libtiff decodes that, except where libvips reads a long
 * strip row by row: there libtiff drops the part of a run behind the row.
 *
 * @returns null if no run crosses the end of a row
 */
export function splitAtRows(packed: Uint8Array, { rowBytes, rows }: PackedRows): Uint8Array | null {
  if (!crossesRows(packed, { rowBytes, rows })) return null;
  // The end of a row splits at most one run, which then has another head and at most another value. The last run may
  // extend beyond the last row.
  const split = new Uint8Array(packed.length + 2 * (rows + MAX_RUN));
  let length = 0;
  let decoded = 0;
  let at = 0;
  while (at < packed.length && decoded < rowBytes * rows) {
    const head = packed[at]!;
    const next = at + bytesOf(head);
    if (next > packed.length) break;
    const count = countOf(head);
    for (let from = 0; from < count;) {
      const part = Math.min(count - from, rowBytes - (decoded % rowBytes));
      length += write(split.subarray(length), packed.subarray(at, next), { from, part });
      from += part;
      decoded += part;
    }
    at = next;
  }
  const rest = packed.subarray(at);
  split.set(rest, length);
  return split.subarray(0, length + rest.length);
}

function crossesRows(packed: Uint8Array, { rowBytes, rows }: PackedRows): boolean {
  let decoded = 0;
  for (let at = 0; at < packed.length && decoded < rowBytes * rows;) {
    const head = packed[at]!;
    const count = countOf(head);
    if ((decoded % rowBytes) + count > rowBytes) return true;
    decoded += count;
    at += bytesOf(head);
  }
  return false;
}

/** The number of bytes for which a run stands. */
function countOf(head: number): number {
  if (head === NOTHING) return 0;
  return head > NOTHING ? 257 - head : head + 1;
}

/** The number of bytes of a run with its head. */
function bytesOf(head: number): number {
  if (head === NOTHING) return 1;
  return head > NOTHING ? 2 : head + 2;
}

/** Writes a part of a run as a run of its own. @returns the number of written bytes */
function write(
  to: Uint8Array,
  run: Uint8Array,
  { from, part }: { readonly from: number; readonly part: number },
): number {
  const isRepeated = run[0]! > NOTHING;
  // A run of one byte has the same head as a different byte.
  to[0] = isRepeated && part > 1 ? 257 - part : part - 1;
  const values = isRepeated ? run.subarray(1) : run.subarray(1 + from, 1 + from + part);
  to.set(values, 1);
  return 1 + values.length;
}
