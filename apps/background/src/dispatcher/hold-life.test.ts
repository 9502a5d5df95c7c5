import { expect, test } from '@jest/globals';
import { HOLD_LIFE, type HoldEvent, type HoldPhase } from './hold-life.ts';

const after = (...events: readonly HoldEvent[]): HoldPhase =>
  events.reduce<HoldPhase>((phase, event) => HOLD_LIFE[phase][event], 'sending');

test('no event leads back to sending', () => {
  for (const phase of Object.keys(HOLD_LIFE) as HoldPhase[]) {
    expect(Object.values(HOLD_LIFE[phase])).not.toContain('sending');
  }
});

test('requests that the process cancels do not fail the hold', () => {
  expect(after('stop', 'fail')).toBe('stopping');
  expect(after('end', 'stop', 'fail')).toBe('stopping');
  expect(after('end', 'fail')).toBe('failed');
});

test('a failure stays until the hold has ended', () => {
  expect(after('fail', 'stop')).toBe('failed');
  expect(after('fail', 'lose')).toBe('failed');
});

test('a lost hold stays lost', () => {
  expect(after('lose', 'fail')).toBe('lost');
  expect(after('stop', 'lose', 'end')).toBe('lost');
});
