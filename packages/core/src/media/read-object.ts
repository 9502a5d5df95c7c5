import { digestOf } from './digest-of.ts';
import { digestOfMediaKey } from './media-key.ts';
import type { MediaStore } from './media-store.ts';

/**
 * The bytes of an object; `gone` if there is none under the key, `damaged` if they are not what was
 * stored.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function readObject(
  media: Pick<MediaStore, 'open'>,
  key: string,
  signal?: AbortSignal,
): Promise<Uint8Array | 'gone' | 'damaged'> {
  const object = await media.open(key, undefined, signal);
  if (object === null) return 'gone';
  const bytes = new Uint8Array(await new Response(object.body).arrayBuffer());
  return digestOf(bytes) === digestOfMediaKey(key) ? bytes : 'damaged';
}
