const MASK = 'redacted';

/**
 * Replaces the user name and password of a URL, so that results do not contain them.
 */
export function maskCredentials(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url.replace(/[^/\\]*@/, `${MASK}@`);
  if (parsed.username === '' && parsed.password === '') return url;
  parsed.username = MASK;
  parsed.password = '';
  return parsed.href;
}
