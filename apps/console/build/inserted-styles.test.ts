import { expect, test } from '@jest/globals';
import { insertedStyleHashes } from './inserted-styles.ts';

test('each style sheet that React Aria inserts has a hash of its own', () => {
  const hashes = insertedStyleHashes();
  expect(new Set(hashes).size).toBe(2);
  for (const hash of hashes) expect(hash).toMatch(/^sha256-[\w+/]{43}=$/);
});
