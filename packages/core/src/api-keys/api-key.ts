import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Lets people and secret scanners tell whose key it is. */
const MARK = 'sightline_';
/** 27 of 62 characters are 160.7 bits. */
const SECRET_LENGTH = 27;
/** 62^6 is more than the 2^32 values of the checksum. */
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${MARK}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);
const SHOWN_LENGTH = MARK.length + 6;

/** The stored form of a key. */
export interface ApiKeyDigest {
  /** The first characters, by which people recognize a key in a list. */
  readonly prefix: string;
  /** SHA-256 of the key. The key is random, so a slow hash would protect nothing more. */
  readonly hash: Uint8Array;
}

export interface NewApiKey extends ApiKeyDigest {
  /** Shown once and never stored: `sightline_`, 27 random characters, 6 of a checksum. */
  readonly key: string;
}

/** Makes a key from a secure random source. */
export function createApiKey(): NewApiKey {
  const secret = Array.from({ length: SECRET_LENGTH }, () => BASE62[randomInt(BASE62.length)]!);
  const body = MARK + secret.join('');
  const key = body + checksumOf(body);
  return { key, ...digestOf(key) };
}

/** The digest to look up; null for a text that cannot be a key, by form or checksum. */
export function parseApiKey(text: string): ApiKeyDigest | null {
  if (!FORM.test(text)) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text === body + checksumOf(body) ? digestOf(text) : null;
}

/** Compares hashes in a time that does not depend on where they differ. */
export function sameHash(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function digestOf(key: string): ApiKeyDigest {
  return { prefix: key.slice(0, SHOWN_LENGTH), hash: createHash('sha256').update(key).digest() };
}

/** CRC-32 in base 62, most significant digit first. */
function checksumOf(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[rest % BASE62.length]! + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
