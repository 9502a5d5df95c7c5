import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createApiKey, parseApiKey, sameHash } from './api-key.ts';

describe('createApiKey', () => {
  test('has a mark, a secret and a checksum, and a prefix to recognize it by', () => {
    const { key, prefix, hash } = createApiKey();
    expect(key).toMatch(/^sightline_[0-9A-Za-z]{33}$/);
    expect(prefix).toBe(key.slice(0, 16));
    expect(Buffer.from(hash)).toEqual(createHash('sha256').update(key).digest());
  });

  test('draws every character equally often', () => {
    const secrets = Array.from({ length: 2000 }, () => createApiKey().key.slice(10, 37));
    expect(new Set(secrets).size).toBe(secrets.length);
    const counts = new Map<string, number>();
    for (const character of secrets.join('')) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect(counts.size).toBe(62);
    // Chi-squared with 61 degrees of freedom exceeds 150 once in a billion runs. If the characters were random bytes
    // modulo 62, it would be about 420.
    const expected = (2000 * 27) / 62;
    const chi2 = [...counts.values()].reduce(
      (sum, count) => sum + (count - expected) ** 2 / expected,
      0,
    );
    expect(chi2).toBeLessThan(150);
  });
});

describe('parseApiKey', () => {
  test('finds prefix and hash of a key', () => {
    const { key, prefix, hash } = createApiKey();
    expect(parseApiKey(key)).toEqual({ prefix, hash });
  });

  test('keeps one format: keys are in use for years', () => {
    const key = 'sightline_0123456789ABCDEFGHIJKLMNOPQ3jPFrR';
    expect(parseApiKey(key)?.prefix).toBe('sightline_012345');
  });

  test('refuses a key with any one character changed', () => {
    const { key } = createApiKey();
    for (let i = 0; i < key.length; i++) {
      const other = key[i] === 'x' ? 'y' : 'x';
      expect(parseApiKey(key.slice(0, i) + other + key.slice(i + 1))).toBeNull();
    }
  });

  test('refuses a text without the format of a key', () => {
    const { key } = createApiKey();
    for (const text of ['', 'sightline_', key.slice(1), `${key}\n`, ` ${key}`, `${key}0`]) {
      expect(parseApiKey(text)).toBeNull();
    }
    expect(parseApiKey(key.replace('sightline_', 'SIGHTLINE_'))).toBeNull();
  });
});

describe('sameHash', () => {
  test('is true for equal bytes alone', () => {
    const { hash } = createApiKey();
    expect(sameHash(hash, Uint8Array.from(hash))).toBe(true);
    expect(sameHash(hash, createApiKey().hash)).toBe(false);
    expect(sameHash(hash, hash.slice(1))).toBe(false);
  });
});
