import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { secretKeyReader } from './read-secret-key.ts';

const read = (secretKey: string | null) =>
  secretKeyReader({ secretKey, secretKeyFile: null })?.() ?? null;

test('a key is 32 bytes in base64, with or without padding', () => {
  const key = randomBytes(32);
  expect(read(key.toString('base64'))).toEqual([key]);
  expect(read(key.toString('base64').replace('=', ''))).toEqual([key]);
  expect(read(null)).toBeNull();
});

test('a second key stands in a second line', () => {
  const keys = [randomBytes(32), randomBytes(32)];
  const lines = keys.map((key) => key.toString('base64'));
  expect(read(lines.join('\n'))).toEqual(keys);
  expect(() => read(`${lines[0]}\nshort`)).toThrow('a second line');
  expect(() => read([...lines, lines[0]].join('\n'))).toThrow('has 3 lines');
});

test.each(['short', 'x'.repeat(44), randomBytes(31).toString('base64'), 'not base64! '.repeat(4)])(
  '%j is not a key',
  (text) => {
    expect(() => read(text)).toThrow('SIGHTLINE_SECRET_KEY');
    expect(() => read(text)).not.toThrow(text);
  },
);
