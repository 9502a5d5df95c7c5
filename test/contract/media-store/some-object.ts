import { createHash } from 'node:crypto';
import type { ByteRange } from '@sightline/core/media/byte-range';
import { type MediaKind, mediaKey } from '@sightline/core/media/media-key';
import type { MediaEntry, MediaStore } from '@sightline/core/media/media-store';

/** Returns the store under test; only tests may call it. */
export type OpenedStore = () => MediaStore;

/** A size larger than what a store sends in one piece. */
export const LARGE_BYTES = 12 * 1024 * 1024;

/**
 * The id of the last environment. No other test or run against the same store uses the ids that
 * follow.
 */
let lastEnvironment = Date.now() * 1000;

export function someEnvironment(): number {
  return ++lastEnvironment;
}

interface Place {
  readonly environmentId: number;
  readonly kind: MediaKind;
}

export function someObject(
  size: number,
  { environmentId = someEnvironment(), kind = 'sources' }: Partial<Place> = {},
): { readonly key: string; readonly bytes: Uint8Array } {
  const bytes = patterned(size);
  return {
    key: mediaKey(environmentId, kind, { digest: digestOf(bytes), extension: 'jpg' }),
    bytes,
  };
}

/** Bytes that depend on their position. */
export function patterned(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at++) bytes[at] = (at * 31 + (at >> 8) * 7) & 255;
  return bytes;
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function read(
  store: MediaStore,
  key: string,
  range?: ByteRange,
): Promise<{ readonly size: number; readonly bytes: Uint8Array } | null> {
  const found = await store.open(key, range);
  if (found === null) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of found.body) chunks.push(chunk);
  return { size: found.size, bytes: new Uint8Array(Buffer.concat(chunks)) };
}

export function list(
  store: MediaStore,
  prefix: string,
  signal?: AbortSignal,
): Promise<MediaEntry[]> {
  return Array.fromAsync(store.list(prefix, signal));
}
