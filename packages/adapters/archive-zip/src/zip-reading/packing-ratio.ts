/**
 * The maximum ratio of unpacked to packed size. Text reaches about 20. A file above this limit is a ZIP bomb, made to
 * fill its reader's disk.
 */
export const MAX_RATIO = 200;
/** The ratio is ignored up to this unpacked size, because small repetitive text may exceed the limit. */
const SMALL_BYTES = 1024 ** 2;

export function isPackedTooTightly({
  size,
  packedSize,
}: {
  readonly size: number;
  readonly packedSize: number;
}): boolean {
  return size > SMALL_BYTES && size > packedSize * MAX_RATIO;
}
