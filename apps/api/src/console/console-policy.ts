/**
 * The policy of the console's page: all files come from the service itself, and no text becomes script or markup.
 *
 * @param styleHashes the hashes of the constant style sheets that the console's libraries insert, such as `sha256-...`
 */
export function consolePolicy(styleHashes: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    ['style-src', "'self'", ...styleHashes.map((hash) => `'${hash}'`)].join(' '),
    // Photos that are not uploaded yet and frames of the camera are shown from memory.
    "img-src 'self' blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}
