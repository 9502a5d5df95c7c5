import { randomUUID } from 'node:crypto';

/** The kinds of files that the service keeps. */
export type MediaKind = 'sources' | 'crops' | 'originals' | 'uploads' | 'archives';

const FORM = /^\d+\/[a-z]+\/[0-9a-f]{2}\/[0-9a-f]{64}-[0-9a-f]{32}\.[a-z0-9]{1,8}$/;

/**
 * A new key for an object: `<environment>/<kind>/<first byte>/<SHA-256>-<nonce>.<extension>`. The
 * digest lets anyone check the object; the nonce gives every row an object of its own, which is
 * removed with the row even if another row has the same bytes.
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

/** Whether a text has the form of a media key; such a text is safe as a relative path. */
export function isMediaKey(text: string): boolean {
  return FORM.test(text);
}

/** The SHA-256 (hex) of the object that a key names. */
export function digestOfMediaKey(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1).slice(0, 64);
}
