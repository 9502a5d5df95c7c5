import { expect, test } from '@jest/globals';
import { mediaKey } from '../media/media-key.ts';
import { KeyLedger } from './key-ledger.ts';

// All keys have the same digest, so only their nonces differ.
const newKey = () => mediaKey(7, 'crops', { digest: 'ab'.repeat(32), extension: 'jpg' });

async function* each(keys: readonly string[]): AsyncGenerator<string> {
  yield* keys;
  return Promise.resolve();
}

test('knows its keys from all others, and which of them are left', async () => {
  const keys = Array.from({ length: 3000 }, newKey);
  const ledger = await KeyLedger.of(each(keys));
  expect(ledger.left).toBe(3000);
  const [here, rest] = [keys.slice(0, 2998), keys.slice(2998)];
  expect(here.every((key) => ledger.tick(key))).toBe(true);
  expect(ledger.left).toBe(2);
  expect(keys.filter((key) => ledger.isLeft(key))).toEqual(rest);
  const others = Array.from({ length: 3000 }, newKey);
  expect(others.some((key) => ledger.tick(key) || ledger.isLeft(key))).toBe(false);
});

test('counts a key once that is ticked off twice', async () => {
  const keys = [newKey(), newKey()];
  const ledger = await KeyLedger.of(each(keys));
  expect([ledger.tick(keys[0]!), ledger.tick(keys[0]!)]).toEqual([true, true]);
  expect(ledger.left).toBe(1);
});

test('is empty without keys', async () => {
  const ledger = await KeyLedger.of(each([]));
  expect([ledger.left, ledger.tick(newKey()), ledger.tick('no key')]).toEqual([0, false, false]);
});
