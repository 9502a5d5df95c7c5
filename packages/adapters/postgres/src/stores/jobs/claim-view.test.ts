import { expect, test } from '@jest/globals';
import { afterEvent, type ClaimEvent, FIRST_CLAIM, viewAt } from './claim-view.ts';

const after = (...events: readonly ClaimEvent[]) =>
  events.reduce((view, event) => afterEvent(view, event, 1_000), FIRST_CLAIM);

test('for 5 s after an outage the database is recovering, and each further outage prolongs that', () => {
  const view = after({ type: 'outage' });
  expect(viewAt(view, 5_999).database.is).toBe('recovering');
  expect(viewAt(view, 6_000).database.is).toBe('steady');
  const again = afterEvent(view, { type: 'outage' }, 5_000);
  expect(viewAt(again, 9_999).database.is).toBe('recovering');
});

test('a listing that found nothing is followed by a pause', () => {
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
