import { expect, test } from '@jest/globals';
import type { StoredEvent } from '@sightline/core/events/stored-event';
import { LONGEST_DATA, toHint, toKafkaMessage } from './kafka-message.ts';

const EVENT: StoredEvent = {
  environmentId: 3,
  position: { xid: '18446744073709551615', id: 12 },
  previous: { xid: '7', id: 1 },
  eventId: '019aa0f0-0000-7000-8000-000000000000',
  event: 'identity.deleted',
  version: 1,
  data: '{"identity_id":5,"external_ref":"crm/1"}',
  createdAt: new Date('2026-01-02T03:04:05.678Z'),
};

test('a message is the envelope of webhooks, with the environment', () => {
  const { key, value } = toKafkaMessage(EVENT, 'the-epoch');
  expect(key).toBe('3');
  expect(JSON.parse(value)).toEqual({
    event: 'identity.deleted',
    data: { identity_id: 5, external_ref: 'crm/1' },
    id: '019aa0f0-0000-7000-8000-000000000000',
    created_at: '2026-01-02T03:04:05.678Z',
    environment_id: 3,
  });
});

test('data that is too long for a broker is omitted', () => {
  const data = JSON.stringify({ external_refs: ['x'.repeat(LONGEST_DATA)] });
  const { value } = toKafkaMessage({ ...EVENT, data }, 'the-epoch');
  expect(JSON.parse(value)).toMatchObject({ id: EVENT.eventId, data: null, data_omitted: true });
});

test.each([EVENT, { ...EVENT, previous: null }])(
  'a message contains the position of its event',
  (event) => {
    const { key, headers } = toKafkaMessage(event, 'the-epoch');
    const bytes = Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)] as const);
    const { environmentId, position, previous } = event;
    expect(toHint({ key: Buffer.from(key), headers: Object.fromEntries(bytes) })).toEqual({
      environmentId,
      epoch: 'the-epoch',
      position,
      previous,
      events: 1,
    });
  },
);

const { headers } = toKafkaMessage(EVENT, 'the-epoch');
const key = Buffer.from('3');

test.each([
  ['without headers', { key }],
  ['without a key', { key: null, headers }],
  ['without a valid environment', { key: Buffer.from('x'), headers }],
  ['about an environment with too large an id', { key: Buffer.from('9'.repeat(16)), headers }],
  ['without a valid position', { key, headers: { ...headers, position: '7' } }],
  [
    'at a position with too large an id',
    { key, headers: { ...headers, position: `7:${'9'.repeat(16)}` } },
  ],
])('a message %s is ignored', (_what, message) => {
  expect(toHint(message)).toBeNull();
});
