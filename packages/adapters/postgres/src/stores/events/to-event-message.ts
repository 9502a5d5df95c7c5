import type { EventMessage } from '@sightline/contracts/events/event-message';
import type { DomainEvent, EventFacts } from '@sightline/core/events/domain-event';

/**
 * Converts an event to the published format. If the event concerns an existing identity, `external_ref` is null and the
 * last member, and the statement that stores the event fills in the value.
 */
export function toEventMessage<Event extends keyof EventFacts>({
  event,
  facts,
}: DomainEvent<Event>): EventMessage {
  return MESSAGES[event](facts);
}

const MESSAGES: {
  readonly [Event in keyof EventFacts]: (facts: EventFacts[Event]) => EventMessage;
} = {
  identity_created: ({ identityId, label, type, externalRef }) => ({
    event: 'identity.created',
    version: 1,
    data: { identity_id: identityId, label, type, external_ref: externalRef },
  }),
  identity_renamed: ({ identityId, label, previousLabel }) =>
    identityUpdated({
      identity_id: identityId,
      action: 'renamed',
      label,
      previous_label: previousLabel,
      external_ref: null,
    }),
  identity_merged: ({ identityId, mergedInto }) => ({
    event: 'identity.merged',
    version: 1,
    data: {
      identity_id: identityId,
      merged_into: mergedInto,
      external_ref: null,
    },
  }),
  identity_deleted: ({ identityId, externalRef = null }) => ({
    event: 'identity.deleted',
    version: 1,
    data: { identity_id: identityId, external_ref: externalRef },
  }),
  cover_changed: ({ identityId, coverDetectionId }) =>
    identityUpdated({
      identity_id: identityId,
      action: 'thumbnail_updated',
      cover_detection_id: coverDetectionId,
      external_ref: null,
    }),
  detection_added: ({ identityId, detectionId }) =>
    identityUpdated({
      identity_id: identityId,
      action: 'detection_added',
      detection_id: detectionId,
      external_ref: null,
    }),
  embedding_added: (facts) => identityUpdated(referenceData('embedding_added', facts)),
  embedding_removed: (facts) => identityUpdated(referenceData('embedding_removed', facts)),
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
): DataOf<'identity.updated'> {
  return {
    identity_id: identityId,
    action,
    embedding_id: referenceId,
    detection_id: detectionId,
    external_ref: null,
  };
}

function detectionData({
  detectionId,
  type,
  identityId,
  externalRef,
}: EventFacts['detection_created']): DataOf<'detection.created'> {
  return { detection_id: detectionId, type, identity_id: identityId, external_ref: externalRef };
}
