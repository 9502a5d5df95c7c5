import { expect, test } from '@jest/globals';
import type { StoredEvent } from '@sightline/core/events/stored-event';
import { fromKafkaMessage, toKafkaMessage } from './kafka-message.ts';

const EVENT: StoredEvent = {
  environmentId: 3,
  place: { xid: '18446744073709551615', id: 12 },
  previous: { xid: '7', id: 1 },
  eventId: '019aa0f0-0000-7000-8000-000000000000',
  event: 'identity.deleted',
  version: 1,
  data: '{"identity_id":5,"external_ref":"crm/1"}',
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
};

test.each([EVENT, { ...EVENT, previous: null }])('an event comes back as it was', (event) => {
  const { value, headers } = toKafkaMessage(event, 'the-epoch');
  const bytes = Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)] as const);
  const received = { value: Buffer.from(value), headers: Object.fromEntries(bytes) };
  expect(fromKafkaMessage(received)).toEqual({ epoch: 'the-epoch', event });
});

const { value, headers } = toKafkaMessage(EVENT, 'the-epoch');

test.each([
  ['without headers', { value: Buffer.from(value) }],
  ['without a value', { value: null, headers }],
  ['with another value', { value: Buffer.from('hello'), headers }],
  ['with a value of null', { value: Buffer.from('null'), headers }],
  ['about no environment', { value: Buffer.from('{}'), headers }],
  ['at no place', { value: Buffer.from(value), headers: { ...headers, place: '7' } }],
])('a message %s is none of ours', (_what, message) => {
  expect(fromKafkaMessage(message)).toBeNull();
});
