import { expect, test } from '@jest/globals';
import type { StoredEvent } from '@sightline/core/events/stored-event';
import { firstAttemptOf, queuedAttemptOf } from './message-of.ts';

function stored(data: object): StoredEvent {
  return {
    environmentId: 3,
    position: { xid: '7', id: 1 },
    previous: null,
    eventId: '019aa0f0-0000-7000-8000-000000000000',
    event: 'detection.labeled',
    version: 1,
    data: JSON.stringify(data),
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
  };
}

test('a message is the envelope of the event, with its members in their order', () => {
  const { body, ...message } = firstAttemptOf(stored({ detection_id: 5, type: 'face' })).attempt;
  expect(new TextDecoder().decode(body)).toBe(
    '{"event":"detection.labeled","data":{"detection_id":5,"type":"face"},' +
      '"id":"019aa0f0-0000-7000-8000-000000000000","created_at":"2026-01-02T03:04:05.678Z"}',
  );
  expect(message).toMatchObject({
    position: { xid: '7', id: 1 },
    event: 'detection.labeled',
    attempt: 1,
  });
});

test.each([
  [{ identity_id: 1, merged_into: 2 }, ['identity 1', 'identity 2']],
  [{ detection_id: 5, identity_id: null }, ['detection 5']],
  [{ detection_ids: [5, 6], external_refs: [null, null] }, ['detection 5', 'detection 6']],
  [{ job_id: 1, type: 'export' }, []],
])('%j names %j', (data, entities) => {
  const first = firstAttemptOf(stored(data));
  expect(first.entities).toEqual(entities);
  expect(queuedAttemptOf(first.attempt)).toEqual(first);
});
