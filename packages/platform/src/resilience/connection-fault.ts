/** The reason why a connection failed: the server is unreachable, or the TLS handshake failed. */
export type ConnectionFault = 'unreachable' | 'no_tls' | 'untrusted' | 'other_host';

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const NO_TLS = new Set(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER']);
const OTHER_HOST = 'ERR_TLS_CERT_ALTNAME_INVALID';
/** The codes of OpenSSL for a certificate that is not trusted or has expired. */
const UNTRUSTED = /SELF_SIGNED|^UNABLE_TO_|^CERT_|^INVALID_CA|^INVALID_PURPOSE/;

/**
 * @param code the error code of the system, of OpenSSL or of undici
 * @returns null if the code does not mean that the connection failed
 */
export function connectionFault(code: string): ConnectionFault | null {
  if (UNREACHABLE.has(code)) return 'unreachable';
  if (NO_TLS.has(code)) return 'no_tls';
  if (code === OTHER_HOST) return 'other_host';
  return UNTRUSTED.test(code) ? 'untrusted' : null;
}
