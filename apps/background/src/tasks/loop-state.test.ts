import { expect, test } from '@jest/globals';
import { LOOP_STATES, type LoopEvent, type LoopState } from './loop-state.ts';

const after = (...events: readonly LoopEvent[]): LoopState | null =>
  events.reduce<LoopState | null>(
    (state, event) => (state === null ? null : LOOP_STATES[state][event]),
    'running',
  );

test('a wake shortens the rest, whether it comes before or after the end of the run', () => {
  expect(after('end')).toBe('resting');
  expect(after('end', 'wake')).toBe('gathering');
  expect(after('wake', 'end')).toBe('gathering');
  expect(after('end', 'wake', 'wake')).toBe('gathering');
});

test('a run that starts handles all earlier wakes', () => {
  expect(after('wake', 'end', 'begin', 'end')).toBe('resting');
});

test('no wake shortens the pause after a failure', () => {
  expect(after('fail', 'wake')).toBe('retrying');
  expect(after('wake', 'fail')).toBe('retrying');
});

test('a run ends once', () => {
  expect(after('end', 'end')).toBeNull();
  expect(after('fail', 'end')).toBeNull();
});
