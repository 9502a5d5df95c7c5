import { expect, test } from '@jest/globals';
import { NotedPacks } from './noted-packs.ts';

const REVISION = 'a'.repeat(64);

test('a fetch that was aborted has not failed', async () => {
  const packs = new NotedPacks({
    found: [],
    find: (_, signal) => Promise.reject(signal.reason as Error),
  });
  const reason = new Error('Other models are desired.');
  await expect(packs.get(REVISION, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(packs.stateOf(REVISION)).toBeUndefined();
});
