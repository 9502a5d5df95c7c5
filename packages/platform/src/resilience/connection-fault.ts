/** Why there is no connection: nobody is there, or what both sides say of TLS does not fit. */
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
/** What OpenSSL says of a certificate that nobody vouches for, or no longer. */
const UNTRUSTED = /SELF_SIGNED|^UNABLE_TO_|^CERT_|^INVALID_CA|^INVALID_PURPOSE/;

/** @param code of the system, OpenSSL or undici; null for one that is about something else */
export function connectionFault(code: string): ConnectionFault | null {
  if (UNREACHABLE.has(code)) return 'unreachable';
  if (NO_TLS.has(code)) return 'no_tls';
  if (code === OTHER_HOST) return 'other_host';
  return UNTRUSTED.test(code) ? 'untrusted' : null;
}
