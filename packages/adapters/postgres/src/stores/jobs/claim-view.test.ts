import { expect, test } from '@jest/globals';
import { afterEvent, type ClaimEvent, FIRST_CLAIM, viewAt } from './claim-view.ts';

const after = (...events: readonly ClaimEvent[]) =>
  events.reduce((view, event) => afterEvent(view, event, 1_000), FIRST_CLAIM);

test('the database is recovering for 5 s after the last outage', () => {
  const view = after({ type: 'outage' });
  expect(viewAt(view, 5_999).database.is).toBe('recovering');
  expect(viewAt(view, 6_000).database.is).toBe('steady');
  const again = afterEvent(view, { type: 'outage' }, 5_000);
  expect(viewAt(again, 9_999).database.is).toBe('recovering');
});

test('listing pauses after it found nothing', () => {
  expect(FIRST_CLAIM.listing.is).toBe('due');
  const view = after({ type: 'listed', found: false });
  expect(viewAt(view, 1_249).listing.is).toBe('pausing');
  expect(viewAt(view, 1_250).listing.is).toBe('due');
  expect(afterEvent(view, { type: 'listed', found: true }, 1_100).listing.is).toBe('due');
});

test('a search for dead processes pauses for a second', () => {
  expect(FIRST_CLAIM.recovery.is).toBe('due');
  const view = after({ type: 'recovered', areSuspects: true });
  expect(view.areSuspects).toBe(true);
  expect(viewAt(view, 1_999).recovery.is).toBe('pausing');
  expect(viewAt(view, 2_000).recovery.is).toBe('due');
});

test('a process drains for longer than the interval at which a slot polls', () => {
  const view = after({ type: 'draining' });
  expect(viewAt(view, 3_499).trial.is).toBe('draining');
  expect(viewAt(view, 3_500).trial.is).toBe('none');
  const ofImages = after({ type: 'draining_images' });
  expect(viewAt(ofImages, 3_499).trial.is).toBe('draining_images');
  expect(viewAt(ofImages, 3_500).trial.is).toBe('none');
});

test('a claim without an answer is remembered until it has been released, or cannot be committed any more', () => {
  const view = after(
    { type: 'unanswered', token: 'one' },
    { type: 'outage' },
    { type: 'unanswered', token: 'two' },
    { type: 'released', tokens: ['one'] },
  );
  expect(viewAt(view, 60_999).unanswered).toMatchObject([{ token: 'two' }]);
  expect(viewAt(view, 61_000).unanswered).toEqual([]);
});
