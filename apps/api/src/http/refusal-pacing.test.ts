import { expect, test } from '@jest/globals';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';
import { RefusalPacing } from './refusal-pacing.ts';

const FLOOD = { environment: '1', caller: 'key-1' };
const OTHER = { environment: '2', caller: 'key-2' };

let now: number;
const pacingAt = (time: number) => {
  now = time;
  return new RefusalPacing(() => now);
};

test('the refusals of an environment are sent one after the other', () => {
  const pacing = pacingAt(1000);
  expect([1, 2, 3].map(() => pacing.delayOf(FLOOD))).toEqual([0, 25, 50]);
  expect(pacing.delayOf(OTHER)).toBe(0);
});

test('a later refusal is not delayed', () => {
  const pacing = pacingAt(1000);
  pacing.delayOf(FLOOD);
  pacing.delayOf(OTHER);
  now += 25;
  expect([pacing.delayOf(FLOOD), pacing.delayOf(OTHER)]).toEqual([0, 0]);
});

test('no refusal is delayed for more than some seconds', () => {
  const pacing = pacingAt(1000);
  const delays = Array.from({ length: 1000 }, () => pacing.delayOf(FLOOD));
  expect(Math.max(...delays)).toBe(5000);
});

test('other errors are not delayed, and a disconnected client ends the delay', async () => {
  const pacing = pacingAt(1000);
  const { signal } = new AbortController();
  const fail = (error: Error) => () => Promise.reject(error);
  for (let i = 0; i < 3; i++) {
    const defect = new TypeError('a defect');
    await expect(pacing.run(fail(defect), FLOOD, signal)).rejects.toBe(defect);
  }
  expect(pacing.delayOf(FLOOD)).toBe(0);
  const refusal = pacing.run(fail(new InferenceOverloaded(1)), FLOOD, AbortSignal.abort());
  await expect(refusal).rejects.toThrow('aborted');
});
