import type { PostedImageInput } from '../jobs/job.ts';
import type { Scope } from '../store/scope.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

export type StoredUrl = Pick<PostedImageInput, 'imageUrl' | 'credentials'>;

/**
 * The form in which the row of an item stores a caller's URL: its user name and password are encrypted.
 *
 * @throws NoSecretKey
 */
export function sealUrl(text: string, { environmentId }: Scope, secrets: SecretBox): StoredUrl {
  const url = URL.parse(text);
  if (url === null || (url.username === '' && url.password === '')) return { imageUrl: text };
  const sealed = secrets.seal(`${url.username}:${url.password}`, environmentId);
  url.username = '';
  url.password = '';
  return { imageUrl: url.href, credentials: Buffer.from(sealed).toString('base64') };
}

/**
 * The caller's URL; null if the image is not at a URL.
 *
 * @throws NoSecretKey
 */
export function openUrl(
  { imageUrl, credentials }: StoredUrl,
  { environmentId }: Scope,
  secrets: SecretBox,
): string | null {
  if (imageUrl === null || credentials === undefined) return imageUrl;
  const opened = secrets.open(Buffer.from(credentials, 'base64'), environmentId);
  const url = new URL(imageUrl);
  // Both are percent-encoded, so that the first colon separates them.
  const [username = '', ...password] = opened.split(':');
  url.username = username;
  url.password = password.join(':');
  return url.href;
}
