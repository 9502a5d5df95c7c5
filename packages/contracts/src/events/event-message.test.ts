import { expect, test } from '@jest/globals';
import { EventMessage } from './event-message.ts';

const deleted = (data: object, version = 1) => ({ event: 'detection.deleted', version, data });
const ids = (count: number) => ({
  detection_ids: Array.from({ length: count }, (_, i) => i),
  external_refs: Array<null>(count).fill(null),
});

test.each([
  ['with its members', deleted(ids(1000)), true],
  ['with more than 1,000 ids', deleted(ids(1001)), false],
  ['without ids', deleted(ids(0)), false],
  ['without a member', deleted({ detection_ids: [1] }), false],
  ['with another member', deleted({ ...ids(1), identity_id: 1 }), false],
  ['of another version', deleted(ids(1), 2), false],
  ['of another name', { ...deleted(ids(1)), event: 'detection.removed' }, false],
])('an event %s', (_, message, isValid) => {
  expect(EventMessage.safeParse(message).success).toBe(isValid);
});

test('an identity.updated has the members of its action', () => {
  const renamed = {
    identity_id: 1,
    action: 'renamed',
    label: 'Ann',
    previous_label: 'Anna',
    external_ref: null,
  };
  const updated = (data: object) =>
    EventMessage.safeParse({ event: 'identity.updated', version: 1, data }).success;
  expect(updated(renamed)).toBe(true);
  expect(updated({ ...renamed, action: 'detection_added' })).toBe(false);
});
