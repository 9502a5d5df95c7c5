import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readSecretKey } from './read-secret-key.ts';

const read = (secretKey: string | null) => readSecretKey({ secretKey, secretKeyFile: null });

test('a key is 32 bytes in base64, with or without padding', () => {
  const key = randomBytes(32);
  expect(read(key.toString('base64'))).toEqual(key);
  expect(read(key.toString('base64').replace('=', ''))).toEqual(key);
  expect(read(null)).toBeNull();
});

test.each(['short', 'x'.repeat(44), randomBytes(31).toString('base64'), 'not base64! '.repeat(4)])(
  '%j is not a key',
  (text) => {
    expect(() => read(text)).toThrow('SIGHTLINE_SECRET_KEY');
    expect(() => read(text)).not.toThrow(text);
  },
);
