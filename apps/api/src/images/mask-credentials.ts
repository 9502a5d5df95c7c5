const MASK = 'redacted';

/**
 * A URL without its user name and password, for results and rows. It is refused as the given one would be:
 * it still names a user.
 */
export function maskCredentials(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url.replace(/[^/\\]*@/, `${MASK}@`);
  if (parsed.username === '' && parsed.password === '') return url;
  parsed.username = MASK;
  parsed.password = '';
  return parsed.href;
}
