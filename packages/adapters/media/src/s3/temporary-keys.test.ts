import { expect, test } from '@jest/globals';
import type { S3Keys } from './s3-options.ts';
import { type IssuedKeys, TemporaryKeys } from './temporary-keys.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Keys of a token service that issues some for an hour, and the clock. */
function open() {
  const state = { now: 0, asked: 0, issued: 0, isDown: false };
  const issue = async (): Promise<IssuedKeys> => {
    state.asked += 1;
    await Promise.resolve();
    if (state.isDown) throw new Error('The token service is down.');
    state.issued += 1;
    return { keys: keysOf(state.issued), lifetimeMs: 60 * MINUTE };
  };
  const lines: string[] = [];
  const states: string[] = [];
  const log = (_: object, message: string) => void lines.push(message);
  const keys = new TemporaryKeys(issue, {
    now: () => state.now,
    logger: { info: log, warn: log },
    observer: { stateChanged: (status) => states.push(`${status.name} ${status.state}`) },
  });
  return { state, lines, states, keys };
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
  const { state, lines, states, keys } = open();
  await keys.current;
  state.isDown = true;
  for (state.now = 45 * MINUTE; state.now < 50 * MINUTE; state.now += MINUTE) {
    expect(await keys.current).toEqual(keysOf(1));
    await settled();
  }
  expect(lines).toEqual(['the token service of the S3 issues no keys']);
  expect(states).toEqual(['token_service available', 'token_service failing']);
  state.now = 60 * MINUTE;
  await expect(keys.current).rejects.toThrow('is down');
  state.isDown = false;
  state.now += SECOND;
  expect(await keys.current).toEqual(keysOf(2));
  expect(lines[1]).toBe('the token service issues keys again');
  expect(states.slice(2)).toEqual(['token_service available']);
});

test('requests without keys ask a token service that fails once a second', async () => {
  const { state, keys } = open();
  state.isDown = true;
  for (let request = 0; request < 20; request += 1) {
    await expect(keys.current).rejects.toThrow('is down');
    state.now += 100;
  }
  expect(state.asked).toBe(2);
  state.isDown = false;
  expect(await keys.current).toEqual(keysOf(1));
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
  const present = await keys.current;
  for (let request = 0; request < 20; request += 1) {
    expect(await keys.renew(present)).toBe(false);
    state.now += 100;
  }
  // Two for the keys, and two during the outage, which lasted two seconds.
  expect(state.asked).toBe(4);
});
