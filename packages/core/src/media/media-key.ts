import { randomUUID } from 'node:crypto';

/** What the service keeps files of. */
export type MediaKind = 'sources' | 'crops' | 'originals';

/**
 * A new key for an object: `<environment>/<kind>/<first byte>/<SHA-256>-<nonce>.<extension>`. The
 * digest lets anyone check the object; the nonce gives every row an object of its own, which goes
 * with its row without asking who else has the same bytes.
 */
export function mediaKey(
  environmentId: number,
  kind: MediaKind,
  content: { readonly digest: string; readonly extension: string },
): string {
  const { digest, extension } = content;
  const folder = `${environmentId}/${kind}/${digest.slice(0, 2)}`;
  return `${folder}/${digest}-${randomUUID().replaceAll('-', '')}.${extension}`;
}

/** The SHA-256 (hex) of the object that a key names. */
export function digestOfMediaKey(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).slice(0, 64);
}
