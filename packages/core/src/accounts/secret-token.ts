import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const FORM = /^[\w-]{43}$/;

export interface NewToken {
  /** 256 random bits in base64url. The token is never stored. */
  readonly token: string;
  /** The SHA-256 of the token. */
  readonly hash: Uint8Array;
}

/** Creates the secret of a session or of an invitation. */
export function createToken(): NewToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashOf(token) };
}

/** Returns the hash of a token; null if the text cannot be one. */
export function parseToken(text: string): Uint8Array | null {
  return FORM.test(text) ? hashOf(text) : null;
}

function hashOf(token: string): Uint8Array {
  return createHash('sha256').update(token).digest();
}
