import { digestOf } from './digest-of.ts';
import { digestOfMediaKey } from './media-key.ts';
import type { MediaObject, MediaStore } from './media-store.ts';

/** Smaller objects are hashed in this thread, because a transfer to another thread takes longer than the hash. */
const LARGE_BYTES = 64 * 1024;

/**
 * Reads an object. The result is `missing` if the store does not have the key, and `damaged` if the bytes do not match
 * the digest in the key.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function readObject(
  media: Pick<MediaStore, 'open'>,
  key: string,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | 'missing' | 'damaged'> {
  const object = await media.open(key, undefined, signal);
  if (object === null) return 'missing';
  const bytes = await readBody(object);
  const digest = bytes.length < LARGE_BYTES ? digestOf(bytes) : await digestBeside(bytes);
  return digest === digestOfMediaKey(key) ? bytes : 'damaged';
}

/** Reads a body into one unshared buffer, which can be transferred to a worker thread. */
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
