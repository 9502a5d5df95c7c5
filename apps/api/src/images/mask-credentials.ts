const MASK = 'redacted';

/**
 * A URL without its user name and password, for results and rows. It still names a user, so it is refused like the
 * original one.
 */
export function maskCredentials(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url.replace(/[^/\\]*@/, `${MASK}@`);
  if (parsed.username === '' && parsed.password === '') return url;
  parsed.username = MASK;
  parsed.password = '';
  return parsed.href;
}
