const MASK = 'redacted';

/**
 * Replaces the user name and password of a URL, so that results and rows do not contain them. The masked URL still has a
 * user name, and is therefore refused like the original.
 */
export function maskCredentials(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url.replace(/[^/\\]*@/, `${MASK}@`);
  if (parsed.username === '' && parsed.password === '') return url;
  parsed.username = MASK;
  parsed.password = '';
  return parsed.href;
}
