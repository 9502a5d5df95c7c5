import { expect, test } from '@jest/globals';
import { AesSecretBox } from './aes-secret-box.ts';

const box = new AesSecretBox(Buffer.alloc(32, 7));

test('a secret is decrypted to its text, and encrypted differently each time', () => {
  const sealed = [box.seal('né', 5), box.seal('né', 5)];
  expect(sealed.map((each) => box.open(each, 5))).toEqual(['né', 'né']);
  expect(sealed[0]).not.toEqual(sealed[1]);
  expect(Buffer.from(sealed[0]!).includes('né')).toBe(false);
});

test('a secret is decrypted only unchanged, for its environment and with its key', () => {
  const sealed = box.seal('secret', 5);
  expect(() => box.open(sealed, 6)).toThrow();
  expect(() => new AesSecretBox(Buffer.alloc(32, 8)).open(sealed, 5)).toThrow();
  for (let at = 0; at < sealed.length; at++) {
    const changed = Uint8Array.from(sealed);
    changed[at]! ^= 1;
    expect(() => box.open(changed, 5)).toThrow();
  }
});

test('without a key, encryption fails', () => {
  expect(() => new AesSecretBox(null).seal('secret', 5)).toThrow('SIGHTLINE_SECRET_KEY');
});
