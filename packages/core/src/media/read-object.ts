import { digestOf } from './digest-of.ts';
import { digestOfMediaKey } from './media-key.ts';
import type { MediaObject, MediaStore } from './media-store.ts';

/** Smaller objects are hashed in this thread, because handing them to another takes as long. */
const LARGE_BYTES = 64 * 1024;

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
): Promise<Uint8Array<ArrayBuffer> | 'gone' | 'damaged'> {
  const object = await media.open(key, undefined, signal);
  if (object === null) return 'gone';
  const bytes = await readBody(object);
  const digest = bytes.length < LARGE_BYTES ? digestOf(bytes) : await digestBeside(bytes);
  return digest === digestOfMediaKey(key) ? bytes : 'damaged';
}

/** Reads a body into one buffer of its own, which may be transferred to a worker. */
async function readBody({ size, body }: MediaObject): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(size).buffer);
  let filled = 0;
  for await (const chunk of body) {
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  return bytes.subarray(0, filled);
}

/** SHA-256 (hex), computed in another thread to keep the event loop free. */
async function digestBeside(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
