/** Text deflates to a twentieth or so. What claims more is made to fill the disk of its reader. */
export const MAX_RATIO = 200;
/** Up to this size, of which repetitive text may be, the ratio says nothing. */
const SMALL_BYTES = 1024 ** 2;

/** Whether a deflated file is so much smaller than what it unpacks to that it is refused. Sizes in bytes. */
export function isPackedTooTightly({
  size,
  packedSize,
}: {
  readonly size: number;
  readonly packedSize: number;
}): boolean {
  return size > SMALL_BYTES && size > packedSize * MAX_RATIO;
}
