import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const FORM = /^[\w-]{43}$/;

export interface NewSessionToken {
  /** 256 random bits in base64url, the value of the cookie. The token is never stored. */
  readonly token: string;
  /** The SHA-256 of the token. */
  readonly hash: Uint8Array;
}

export function createSessionToken(): NewSessionToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashOf(token) };
}

/** Returns the hash of a token; null if the text cannot be one. */
export function parseSessionToken(text: string): Uint8Array | null {
  return FORM.test(text) ? hashOf(text) : null;
}

function hashOf(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}
