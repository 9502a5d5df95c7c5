import { expect, test } from '@jest/globals';
import { IdentityOrdinals } from './identity-ordinals.ts';

test('an identity keeps its ordinal while it has a point', () => {
  const ordinals = new IdentityOrdinals();
  const first = ordinals.acquire(70);
  const second = ordinals.acquire(80);
  expect(ordinals.acquire(70)).toBe(first);
  ordinals.release(first);
  expect([ordinals.idOf(first), ordinals.idOf(second)]).toEqual([70, 80]);
  expect(ordinals.acquire(70)).toBe(first);
});

test('an ordinal without points is reused', () => {
  const ordinals = new IdentityOrdinals();
  ordinals.acquire(70);
  for (let identityId = 100; identityId < 200; identityId++) {
    const ordinal = ordinals.acquire(identityId);
    expect(ordinals.idOf(ordinal)).toBe(identityId);
    ordinals.release(ordinal);
  }
  expect(ordinals.end).toBe(2);
});
