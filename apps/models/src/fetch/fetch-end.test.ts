import { expect, test } from '@jest/globals';
import { ModelFetchFailed } from '@sightline/core/models/model-source';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { failureOf, textOf } from './fetch-end.ts';

/** The kubelet's size limit for a termination message, in bytes. */
const KUBELET_LIMIT = 4096;

const MESSAGES = ['ж'.repeat(5_000), '🙂'.repeat(5_000), '\u0001"\\'.repeat(5_000), 'short'];

test.each(MESSAGES)(
  'a failure remains readable after the kubelet has cut its termination message (%#)',
  (message) => {
    for (const error of [
      new ModelFetchFailed(message, { reason: 'pack_refused' }),
      new StoreUnavailable(message),
    ]) {
      const failure = failureOf(error);
      const kept = Buffer.from(textOf(failure)).subarray(0, KUBELET_LIMIT).toString();
      const read = JSON.parse(kept) as typeof failure;
      expect(read.reason).toBe(failure.reason);
      expect(read.message.length).toBeGreaterThan(0);
      expect(failure.message.startsWith(read.message)).toBe(true);
      expect(read.message.isWellFormed()).toBe(true);
    }
  },
);
