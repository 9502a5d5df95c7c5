import { randomUUID } from 'node:crypto';

export type MediaKind = 'sources' | 'crops' | 'originals' | 'renditions' | 'uploads' | 'archives';

const FORM = /^\d+\/[a-z]+\/[0-9a-f]{2}\/[0-9a-f]{64}-[0-9a-f]{32}\.[a-z0-9]{1,8}$/;

/**
 * Creates a key: `<environment>/<kind>/<first byte of SHA-256>/<SHA-256>-<nonce>.<extension>`. Readers check objects by
 * the digest. The nonce gives each row an object of its own, which can be removed with the row even if another row has
 * the same bytes.
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

/** Whether a text has the form of a media key, and is therefore safe as a relative path. */
export function isMediaKey(text: string): boolean {
  return FORM.test(text);
}

/** The SHA-256 (hex) in a media key. */
export function digestOfMediaKey(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).slice(0, 64);
}

/** The id of the environment in a media key. */
export function environmentOfMediaKey(key: string): number {
  return Number(key.slice(0, key.indexOf('/')));
}
