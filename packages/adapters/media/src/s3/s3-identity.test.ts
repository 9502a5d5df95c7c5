import { expect, test } from '@jest/globals';
import { S3Identity } from './s3-identity.ts';
import type { S3Keys } from './s3-options.ts';

const EXPIRED = { code: 'ExpiredToken' };
const old = { accessKey: 'a', secretKey: 'b', sessionToken: 'yesterday' };
const fresh = { ...old, sessionToken: 'today' };

function identityOf(first: S3Keys) {
  let keys: S3Keys | null = first;
  let reads = 0;
  const identity = new S3Identity(() => {
    reads += 1;
    if (keys === null) throw new Error('The file is being replaced.');
    return keys;
  });
  return { identity, change: (next: S3Keys | null) => (keys = next), reads: () => reads };
}

test('all requests refused at the same time continue with the keys that the first one reads', async () => {
  const { identity, change, reads } = identityOf(old);
  const refused = await identity.keys();
  change(fresh);
  expect(await identity.renew(EXPIRED, refused)).toBe(true);
  expect(await identity.renew(EXPIRED, refused)).toBe(true);
  expect(await identity.keys()).toEqual(fresh);
  expect(reads()).toBe(2);
});

test('unchanged keys, or a moment without keys, do not count as new ones', async () => {
  const { identity, change } = identityOf(old);
  expect(await identity.renew(EXPIRED, await identity.keys())).toBe(false);
  change(null);
  expect(await identity.renew(EXPIRED, await identity.keys())).toBe(false);
  expect(await identity.keys()).toEqual(old);
});

test('nothing is read if the keys were not the reason', async () => {
  const { identity, change, reads } = identityOf(old);
  change(fresh);
  expect(await identity.renew({ code: 'NoSuchKey' }, await identity.keys())).toBe(false);
  expect(reads()).toBe(1);
});
