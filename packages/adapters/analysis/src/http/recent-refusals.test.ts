import { expect, test } from '@jest/globals';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';
import { RecentRefusals } from './recent-refusals.ts';

const FLOOD = { environment: '1', caller: 'key-1' };
const OTHER = { environment: '1', caller: 'key-2' };

test('a refusal counts for a moment, and for its tenant alone', () => {
  let now = 1000;
  const refusals = new RecentRefusals(() => now);
  refusals.add(FLOOD, new InferenceOverloaded(7));
  now += 99;
  expect(() => refusals.throwIfRefused(FLOOD)).toThrow(
    expect.objectContaining({ code: 'overloaded', retryAfterSeconds: 7 }),
  );
  refusals.throwIfRefused(OTHER);
  now += 1;
  refusals.throwIfRefused(FLOOD);
});

test('a later refusal counts from its own time', () => {
  let now = 1000;
  const refusals = new RecentRefusals(() => now);
  refusals.add(FLOOD, new InferenceOverloaded(7));
  now += 60;
  refusals.add(OTHER, new InferenceOverloaded(3));
  refusals.add(FLOOD, new InferenceOverloaded(5));
  now += 60;
  expect(() => refusals.throwIfRefused(FLOOD)).toThrow(
    expect.objectContaining({ retryAfterSeconds: 5 }),
  );
});
