import { expect, test } from '@jest/globals';
import type { S3Keys } from './s3-options.ts';
import { type IssuedKeys, TemporaryKeys } from './temporary-keys.ts';

const MINUTE = 60_000;

/** Keys of a token service that issues some for an hour, and the clock. */
function open() {
  const state = { now: 0, issued: 0, isDown: false };
  const issue = async (): Promise<IssuedKeys> => {
    await Promise.resolve();
    if (state.isDown) throw new Error('The token service is down.');
    state.issued += 1;
    return { keys: keysOf(state.issued), lifetimeMs: 60 * MINUTE };
  };
  return { state, keys: new TemporaryKeys(issue, () => state.now) };
}

const keysOf = (number: number): S3Keys => ({ accessKey: `key-${number}`, secretKey: 'hidden' });
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('requests that need keys at the same time wait for the same ones', async () => {
  const { state, keys } = open();
  expect(await Promise.all([keys.current, keys.current])).toEqual([keysOf(1), keysOf(1)]);
  state.now = 44 * MINUTE;
  expect(await keys.current).toEqual(keysOf(1));
  expect(state.issued).toBe(1);
});

test('keys are renewed before they expire, while requests use the present ones', async () => {
  const { state, keys } = open();
  await keys.current;
  state.now = 45 * MINUTE;
  expect(await Promise.all([keys.current, keys.current])).toEqual([keysOf(1), keysOf(1)]);
  await settled();
  expect(await keys.current).toEqual(keysOf(2));
  expect(state.issued).toBe(2);
});

test('an outage of the token service matters only after the keys have expired', async () => {
  const { state, keys } = open();
  await keys.current;
  state.isDown = true;
  state.now = 45 * MINUTE;
  expect(await keys.current).toEqual(keysOf(1));
  await settled();
  state.now = 60 * MINUTE;
  await expect(keys.current).rejects.toThrow('is down');
  state.isDown = false;
  expect(await keys.current).toEqual(keysOf(2));
});

test('refused keys are renewed once, unless they are new', async () => {
  const { state, keys } = open();
  const refused = await keys.current;
  expect(await keys.renew(refused)).toBe(false);
  state.now = MINUTE;
  expect(await Promise.all([keys.renew(refused), keys.renew(refused)])).toEqual([true, true]);
  expect(await keys.renew(refused)).toBe(true);
  expect(await keys.current).toEqual(keysOf(2));
  expect(state.issued).toBe(2);
  state.now = 2 * MINUTE;
  state.isDown = true;
  expect(await keys.renew(await keys.current)).toBe(false);
});
