import type { EventMessage } from '@sightline/contracts/events/event-message';
import type { DomainEvent, EventFacts } from '@sightline/core/events/domain-event';

/** By id, the `external_ref` of identities that have one. */
type Refs = ReadonlyMap<number, string | null>;

/** An event as the contract publishes it. */
export function toEventMessage<Event extends keyof EventFacts>(
  { event, facts }: DomainEvent<Event>,
  refs: Refs,
): EventMessage {
  return MESSAGES[event](facts, refs);
}

const MESSAGES: {
  readonly [Event in keyof EventFacts]: (facts: EventFacts[Event], refs: Refs) => EventMessage;
} = {
  identity_created: ({ identityId, label, type, externalRef }) => ({
    event: 'identity.created',
    version: 1,
    data: { identity_id: identityId, label, type, external_ref: externalRef },
  }),
  identity_renamed: ({ identityId, label, previousLabel }, refs) =>
    identityUpdated({
      identity_id: identityId,
      action: 'renamed',
      label,
      previous_label: previousLabel,
      external_ref: refOf(identityId, refs),
    }),
  identity_merged: ({ identityId, mergedInto }, refs) => ({
    event: 'identity.merged',
    version: 1,
    data: {
      identity_id: identityId,
      merged_into: mergedInto,
      external_ref: refOf(identityId, refs),
    },
  }),
  identity_deleted: ({ identityId }, refs) => ({
    event: 'identity.deleted',
    version: 1,
    data: { identity_id: identityId, external_ref: refOf(identityId, refs) },
  }),
  cover_changed: ({ identityId, coverDetectionId }, refs) =>
    identityUpdated({
      identity_id: identityId,
      action: 'thumbnail_updated',
      cover_detection_id: coverDetectionId,
      external_ref: refOf(identityId, refs),
    }),
  detection_added: ({ identityId, detectionId }, refs) =>
    identityUpdated({
      identity_id: identityId,
      action: 'detection_added',
      detection_id: detectionId,
      external_ref: refOf(identityId, refs),
    }),
  embedding_added: (facts, refs) => identityUpdated(referenceData('embedding_added', facts, refs)),
  embedding_removed: (facts, refs) =>
    identityUpdated(referenceData('embedding_removed', facts, refs)),
  detection_created: (facts) => ({
    event: 'detection.created',
    version: 1,
    data: detectionData(facts),
  }),
  detection_labeled: (facts) => ({
    event: 'detection.labeled',
    version: 1,
    data: detectionData(facts),
  }),
  detections_deleted: ({ detections }) => ({
    event: 'detection.deleted',
    version: 1,
    data: {
      detection_ids: detections.map(({ detectionId }) => detectionId),
      external_refs: detections.map(({ externalRef }) => externalRef),
    },
  }),
  job_finished: ({ jobId, type, status, total, done, failed }) => ({
    event: 'job.done',
    version: 1,
    data: { job_id: jobId, type, status, total, done, failed },
  }),
};

type DataOf<Event extends EventMessage['event']> = Extract<EventMessage, { event: Event }>['data'];

function identityUpdated(data: DataOf<'identity.updated'>): EventMessage {
  return { event: 'identity.updated', version: 1, data };
}

function referenceData<Action extends 'embedding_added' | 'embedding_removed'>(
  action: Action,
  { identityId, referenceId, detectionId }: EventFacts[Action],
  refs: Refs,
): DataOf<'identity.updated'> {
  return {
    identity_id: identityId,
    action,
    embedding_id: referenceId,
    detection_id: detectionId,
    external_ref: refOf(identityId, refs),
  };
}

function refOf(identityId: number, refs: Refs): string | null {
  return refs.get(identityId) ?? null;
}

function detectionData({
  detectionId,
  type,
  identityId,
  externalRef,
}: EventFacts['detection_created']): DataOf<'detection.created'> {
  return { detection_id: detectionId, type, identity_id: identityId, external_ref: externalRef };
}
