import { beforeEach, expect, test } from '@jest/globals';
import { RateLimit } from './rate-limit.ts';

let now: number;
let stored: Map<string, unknown>;
let reads: number;
let limit: RateLimit;

beforeEach(() => {
  now = 0;
  reads = 0;
  stored = new Map([['system.rate_limit_per_minute', 3]]);
  const all = () => {
    reads++;
    return Promise.resolve(stored);
  };
  limit = new RateLimit({ all }, () => now);
});

async function sends(keyId: number, requests: number): Promise<number> {
  let admitted = 0;
  for (let i = 0; i < requests; i++) {
    admitted += await limit.require(keyId).then(
      () => 1,
      () => 0,
    );
  }
  return admitted;
}

test('a key may send the requests of a minute at once, and then one after the other', async () => {
  expect(await sends(1, 5)).toBe(3);
  expect(await sends(2, 1)).toBe(1);
  now = 19_999;
  expect(await sends(1, 1)).toBe(0);
  now = 20_000;
  expect(await sends(1, 2)).toBe(1);
  now = 200_000;
  expect(await sends(1, 5)).toBe(3);
});

test('a refusal says when the next request is possible', async () => {
  await sends(1, 3);
  now = 15_500;
  await expect(limit.require(1)).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: expect.closeTo(4.5, 6),
  });
});

test('no key is limited by default', async () => {
  stored.clear();
  expect(await sends(1, 1_000)).toBe(1_000);
  expect(reads).toBe(1);
});

test('a changed limit takes effect within five seconds', async () => {
  stored = new Map();
  await sends(1, 1);
  stored = new Map([['system.rate_limit_per_minute', 1]]);
  now = 5_000;
  expect(await sends(1, 3)).toBe(1);
});
