import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { AnalyzerStatus } from '@sightline/core/models/analyzer-status';
import { StatusCache } from './status-cache.ts';

const STATUS: AnalyzerStatus = { ready: true, provider: 'cpu', models: [], report: [] };

test('an address that answers late keeps its last status for some seconds', async () => {
  let isBusy = false;
  const status = async (signal: AbortSignal) => {
    if (isBusy) await sleep(60_000, undefined, { signal, ref: false });
    return STATUS;
  };
  const cache = new StatusCache({ current: [{ status }] });
  expect(await cache.read()).toEqual([STATUS]);

  isBusy = true;
  cache.forget();
  expect(await cache.read()).toEqual([STATUS]);
  // A new cache has no earlier status of the address, so it does not report the late address.
  expect(await new StatusCache({ current: [{ status }] }).read()).toEqual([]);
});

test('an address that refuses connections is down at once', async () => {
  let isDown = false;
  const refused = new Error('connect ECONNREFUSED');
  const status = () => (isDown ? Promise.reject(refused) : Promise.resolve(STATUS));
  const cache = new StatusCache({ current: [{ status }] });
  expect(await cache.read()).toEqual([STATUS]);

  isDown = true;
  cache.forget();
  expect(await cache.read()).toEqual([]);
  expect(cache.lastError).toBe(refused);
});
