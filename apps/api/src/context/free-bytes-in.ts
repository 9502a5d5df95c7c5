import { freeBytesOf } from '@sightline/platform/data-folder/free-bytes';
import { orAbort } from '@sightline/platform/resilience/or-abort';

/** The timeout of a lookup, in ms, because a disk may not respond. */
const LOOKUP_MS = 1_000;

/** The free bytes of the disk of a folder; null without a folder, and if the disk does not respond. */
export async function freeBytesIn(
  folder: string | null,
  signal: AbortSignal,
): Promise<number | null> {
  if (folder === null) return null;
  const within = AbortSignal.any([signal, AbortSignal.timeout(LOOKUP_MS)]);
  try {
    return await orAbort(freeBytesOf(folder), within);
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
