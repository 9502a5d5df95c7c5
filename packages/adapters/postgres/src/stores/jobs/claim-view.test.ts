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

test('a claim without an answer is remembered until it has been released', () => {
  const view = after(
    { type: 'unanswered', token: 'one' },
    { type: 'outage' },
    { type: 'unanswered', token: 'two' },
    { type: 'released', tokens: ['one'] },
  );
  expect(view.unanswered).toEqual(['two']);
});
