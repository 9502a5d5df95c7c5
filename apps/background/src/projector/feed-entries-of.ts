import { EventMessage } from '@sightline/contracts/events/event-message';
import type { StoredEvent } from '@sightline/core/events/stored-event';
import type { FeedAction, NewFeedEntry } from '@sightline/core/feed/feed-entry';

type Change = Pick<NewFeedEntry, 'entityType' | 'entityId' | 'action' | 'externalRef'>;

/** Returns the entries of the change feed for an event: one entry for each detection or identity, none for a job. */
export function feedEntriesOf({
  environmentId,
  eventId,
  createdAt,
  event,
  version,
  data,
}: StoredEvent): readonly NewFeedEntry[] {
  const message = EventMessage.parse({ event, version, data: JSON.parse(data) as unknown });
  const operationId = operationOf(message);
  const common = { environmentId, eventId, createdAt, operationId };
  return changesOf(message).map((change) => ({ ...common, ...change }));
}

function changesOf({ event, data }: EventMessage): readonly Change[] {
  switch (event) {
    case 'detection.created':
      return [ofDetection(data.detection_id, 'created', data.external_ref)];
    case 'detection.labeled':
      return [ofDetection(data.detection_id, 'relabeled', data.external_ref)];
    case 'detection.deleted':
      return data.detection_ids.map((id, at) =>
        ofDetection(id, 'deleted', data.external_refs[at] ?? null),
      );
    case 'identity.created':
      return [ofIdentity(data, 'created')];
    case 'identity.updated':
      return [ofIdentity(data, data.action === 'renamed' ? 'relabeled' : 'updated')];
    case 'identity.merged':
      return [ofIdentity(data, 'merged')];
    case 'identity.deleted':
      return [ofIdentity(data, 'deleted')];
    case 'job.done':
      return [];
  }
}

function operationOf({ data }: EventMessage): number | null {
  return 'operation_id' in data ? (data.operation_id ?? null) : null;
}

function ofDetection(entityId: number, action: FeedAction, externalRef: string | null): Change {
  return { entityType: 'detection', entityId, action, externalRef };
}

function ofIdentity(
  identity: { readonly identity_id: number; readonly external_ref: string | null },
  action: FeedAction,
): Change {
  return {
    entityType: 'identity',
    entityId: identity.identity_id,
    action,
    externalRef: identity.external_ref,
  };
}
