/**
 * The maximum ratio of unpacked to packed size. Text reaches about 20; a file with more than this limit is made to
 * fill the disk of its reader.
 */
export const MAX_RATIO = 200;
/** Up to this size the ratio does not matter, because text that repeats itself may exceed it. */
const SMALL_BYTES = 1024 ** 2;

/** Whether a deflated file is refused because it unpacks to too many times its packed size. Sizes are in bytes. */
export function isPackedTooTightly({
  size,
  packedSize,
}: {
  readonly size: number;
  readonly packedSize: number;
}): boolean {
  return size > SMALL_BYTES && size > packedSize * MAX_RATIO;
}
