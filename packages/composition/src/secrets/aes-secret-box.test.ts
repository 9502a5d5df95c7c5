import { NoSecretKey } from '@sightline/core/secrets/secret-errors';
import { describe, expect, test } from '@jest/globals';
import { AesSecretBox } from './aes-secret-box.ts';

const [OLD, NEW] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
const boxOf = (...keys: readonly Buffer[]) => new AesSecretBox(() => keys);
const box = boxOf(OLD);

test('a secret is decrypted to its text, and encrypted differently each time', () => {
  const sealed = [box.seal('né', 5), box.seal('né', 5)];
  expect(sealed.map((each) => box.open(each, 5))).toEqual(['né', 'né']);
  expect(sealed[0]).not.toEqual(sealed[1]);
  expect(Buffer.from(sealed[0]!).includes('né')).toBe(false);
});

test('a secret is decrypted only unchanged, for its environment and with its key', () => {
  const sealed = box.seal('secret', 5);
  expect(() => box.open(sealed, 6)).toThrow('for another environment');
  expect(() => boxOf(NEW).open(sealed, 5)).toThrow(`the key ${box.keys[0]!.id}`);
  for (let at = 0; at < sealed.length; at++) {
    const changed = Uint8Array.from(sealed);
    changed[at]! ^= 1;
    expect(() => box.open(changed, 5)).toThrow();
  }
  for (let length = 0; length < sealed.length; length++) {
    expect(() => box.open(sealed.subarray(0, length), 5)).toThrow();
  }
});

test('the first key encrypts, and both decrypt', () => {
  const both = boxOf(NEW, OLD);
  expect(both.open(box.seal('secret', 5), 5)).toBe('secret');
  const sealed = both.seal('secret', 5);
  expect(boxOf(NEW).open(sealed, 5)).toBe('secret');
  expect(() => box.open(sealed, 5)).toThrow(`the key ${both.keys[0]!.id}`);
});

test('a secret begins with the id of its key, which is 8 hex digits', () => {
  const { id, prefix } = box.keys[0]!;
  expect(id).toMatch(/^[\da-f]{8}$/);
  expect(Buffer.from(prefix).toString('hex')).toBe(`02${id}`);
  expect(box.seal('secret', 5).subarray(0, prefix.length)).toEqual(prefix);
});

test.each([
  ['its key', [OLD]],
  ['a newer key before it', [NEW, OLD]],
])('a secret from before there were ids is decrypted with %s', (_, keys) => {
  const { prefix } = box.keys[0]!;
  const withoutId = Buffer.concat([Buffer.of(1), box.seal('secret', 5).subarray(prefix.length)]);
  expect(boxOf(...keys).open(withoutId, 5)).toBe('secret');
  expect(() => boxOf(NEW).open(withoutId, 5)).toThrow('another key');
});

test('the keys are read again for a secret of an unknown key', () => {
  let keys = [OLD];
  const reading = new AesSecretBox(() => keys);
  keys = [NEW, OLD];
  expect(reading.open(boxOf(NEW).seal('secret', 5), 5)).toBe('secret');
  expect(reading.keys[0]).toEqual(boxOf(NEW).keys[0]);
});

test('without a key, encryption fails', () => {
  expect(() => new AesSecretBox(null).seal('secret', 5)).toThrow('SIGHTLINE_SECRET_KEY');
});

describe('a text that a client keeps', () => {
  const seal = box.sealer('tests').seal('né');

  test('has only characters of a cookie, and is sealed differently each time', () => {
    expect(seal).toMatch(/^[\w-]+$/);
    expect(box.sealer('tests').seal('né')).not.toBe(seal);
  });

  test('is opened by each process that has the key, also after another key came first', () => {
    for (const other of [boxOf(OLD), boxOf(NEW, OLD)]) {
      expect(other.sealer('tests').open(seal)).toBe('né');
    }
    expect(boxOf(NEW).sealer('tests').open(seal)).toBeNull();
  });

  test('is opened only unchanged, and for its purpose', () => {
    // Every bit of these characters is part of a byte.
    expect(seal.length % 4).toBe(0);
    expect(box.sealer('others').open(seal)).toBeNull();
    for (let at = 0; at < seal.length; at++) {
      const changed = seal.slice(0, at) + (seal[at] === 'M' ? 'm' : 'M') + seal.slice(at + 1);
      expect(box.sealer('tests').open(changed)).toBeNull();
    }
    for (const text of ['', 'x', '!', seal.slice(1), seal.slice(0, -4)]) {
      expect(box.sealer('tests').open(text)).toBeNull();
    }
  });

  test('is no secret of an environment, nor the other way round', () => {
    expect(() => box.open(Buffer.from(seal, 'base64url'), 0)).toThrow();
    const secret = Buffer.from(box.seal('né', 0)).toString('base64url');
    expect(box.sealer('environment 0').open(secret)).toBeNull();
  });

  test('needs a key', () => {
    const without = new AesSecretBox(null).sealer('tests');
    expect(() => without.seal('né')).toThrow(NoSecretKey);
    expect(() => without.open(seal)).toThrow(NoSecretKey);
  });
});

test('keys for other purposes are derived from the first key, and differ from it and from each other', () => {
  const [one, two] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const box = new AesSecretBox(() => [one, two]);
  const hex = (bytes: Uint8Array | null) => Buffer.from(bytes!).toString('hex');
  expect(hex(box.derive('a'))).toBe(hex(new AesSecretBox(() => [one]).derive('a')));
  const others = [box.derive('b'), one, new AesSecretBox(() => [two, one]).derive('a')];
  expect(others.map(hex)).not.toContain(hex(box.derive('a')));
  expect(box.derive('a')).toHaveLength(32);
  expect(new AesSecretBox(null).derive('a')).toBeNull();
});
