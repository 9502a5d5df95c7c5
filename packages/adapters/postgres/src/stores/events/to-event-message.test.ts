import { expect, test } from '@jest/globals';
import { EventMessage } from '@sightline/contracts/events/event-message';
import type { DomainEvent } from '@sightline/core/events/domain-event';
import { toEventMessage } from './to-event-message.ts';

const REFERENCE = { referenceId: 5, identityId: 1, detectionId: 3 };
const REFERENCE_DATA = {
  embedding_id: 5,
  identity_id: 1,
  detection_id: 3,
  external_ref: null,
};
const DETECTION = { detectionId: 3, type: 'face', identityId: null, externalRef: 'a/1' } as const;
const DETECTION_DATA = { detection_id: 3, type: 'face', identity_id: null, external_ref: 'a/1' };
const JOB = { type: 'reembed', status: 'done', total: 3, done: 2, failed: 1 } as const;

const CASES: readonly (readonly [DomainEvent, EventMessage['event'], object])[] = [
  [
    {
      event: 'identity_created',
      facts: { identityId: 1, label: 'Ann', type: 'face', externalRef: null },
    },
    'identity.created',
    { identity_id: 1, label: 'Ann', type: 'face', external_ref: null },
  ],
  [
    {
      event: 'identity_renamed',
      facts: { identityId: 1, label: 'Ann', previousLabel: 'Anna' },
    },
    'identity.updated',
    {
      identity_id: 1,
      action: 'renamed',
      label: 'Ann',
      previous_label: 'Anna',
      external_ref: null,
    },
  ],
  [
    { event: 'identity_merged', facts: { identityId: 1, mergedInto: 2 } },
    'identity.merged',
    { identity_id: 1, merged_into: 2, external_ref: null },
  ],
  [
    { event: 'identity_deleted', facts: { identityId: 1 } },
    'identity.deleted',
    { identity_id: 1, external_ref: null },
  ],
  [
    { event: 'cover_changed', facts: { identityId: 1, coverDetectionId: null } },
    'identity.updated',
    {
      identity_id: 1,
      action: 'thumbnail_updated',
      cover_detection_id: null,
      external_ref: null,
    },
  ],
  [
    { event: 'detection_added', facts: { identityId: 1, detectionId: 3 } },
    'identity.updated',
    { identity_id: 1, action: 'detection_added', detection_id: 3, external_ref: null },
  ],
  [
    { event: 'embedding_added', facts: REFERENCE },
    'identity.updated',
    { ...REFERENCE_DATA, action: 'embedding_added' },
  ],
  [
    { event: 'embedding_removed', facts: REFERENCE },
    'identity.updated',
    { ...REFERENCE_DATA, action: 'embedding_removed' },
  ],
  [{ event: 'detection_created', facts: DETECTION }, 'detection.created', DETECTION_DATA],
  [
    { event: 'detection_labeled', facts: { ...DETECTION, identityId: 1 } },
    'detection.labeled',
    { ...DETECTION_DATA, identity_id: 1 },
  ],
  [
    {
      event: 'detections_deleted',
      facts: {
        detections: [
          { detectionId: 3, externalRef: 'a/1' },
          { detectionId: 4, externalRef: null },
        ],
      },
    },
    'detection.deleted',
    { detection_ids: [3, 4], external_refs: ['a/1', null] },
  ],
  [{ event: 'job_finished', facts: { jobId: 9, ...JOB } }, 'job.done', { job_id: 9, ...JOB }],
];

test.each(CASES)('%j is published as %s', (event, name, data) => {
  const message = toEventMessage(event);
  expect(message).toEqual({ event: name, version: 1, data });
  expect(EventMessage.parse(message)).toEqual(message);
});

test('every event of the contract is published', () => {
  const published = new Set(CASES.map(([, name]) => name));
  const known = EventMessage.options.flatMap(({ shape }) => [...shape.event.values]);
  expect([...published].sort()).toEqual([...known].sort());
});

test('the external_ref that the statement fills in is the last member', () => {
  for (const [event, name] of CASES) {
    if (!/^identity\.(updated|merged|deleted)$/.test(name)) continue;
    expect(JSON.stringify(toEventMessage(event).data)).toMatch(/"external_ref":null\}$/);
  }
});
