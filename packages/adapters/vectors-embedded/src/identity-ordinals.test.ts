import { expect, test } from '@jest/globals';
import { IdentityOrdinals } from './identity-ordinals.ts';

test('an identity keeps its ordinal as long as a point has it', () => {
  const ordinals = new IdentityOrdinals();
  const first = ordinals.acquire(70);
  const second = ordinals.acquire(80);
  expect(ordinals.acquire(70)).toBe(first);
  ordinals.release(first);
  expect([ordinals.idOf(first), ordinals.idOf(second)]).toEqual([70, 80]);
  expect(ordinals.acquire(70)).toBe(first);
});

test('an ordinal that no point has goes to the next identity', () => {
  const ordinals = new IdentityOrdinals();
  ordinals.acquire(70);
  for (let identityId = 100; identityId < 200; identityId++) {
    const ordinal = ordinals.acquire(identityId);
    expect(ordinals.idOf(ordinal)).toBe(identityId);
    ordinals.release(ordinal);
  }
  expect(ordinals.end).toBe(2);
});
