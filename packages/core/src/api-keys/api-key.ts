import { createHash, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The prefix by which people and secret scanners recognize keys of this product. */
const MARK = 'sightline_';
/** 27 random characters, each one of 62, contain 160.7 bits. */
const SECRET_LENGTH = 27;
/** Six characters are enough for a 32-bit checksum, because 62^6 is more than 2^32. */
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${MARK}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);
const SHOWN_LENGTH = MARK.length + 6;

export interface ApiKeyDigest {
  /** The first characters, by which people recognize a key in a list. */
  readonly prefix: string;
  /** The SHA-256 of the key. A slow hash is not needed, because the key is random. */
  readonly hash: Uint8Array;
}

export interface NewApiKey extends ApiKeyDigest {
  /** The prefix `sightline_`, 27 random characters, and 6 characters of a checksum. The key is never stored. */
  readonly key: string;
}

export function createApiKey(): NewApiKey {
  const secret = Array.from({ length: SECRET_LENGTH }, () => BASE62[randomInt(BASE62.length)]!);
  const body = MARK + secret.join('');
  const key = body + checksumOf(body);
  return { key, ...digestOf(key) };
}

/** Returns the digest of a key, or null if the form or the checksum of the text is wrong. */
export function parseApiKey(text: string): ApiKeyDigest | null {
  if (!FORM.test(text)) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text === body + checksumOf(body) ? digestOf(text) : null;
}

/** Compares hashes in constant time. */
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
