import type { StoredEvent } from '@sightline/core/events/stored-event';
import type { QueuedMessage } from '@sightline/core/webhooks/delivery-queue';

/** The message about an event: its bytes are made here, once for all webhooks and attempts. */
export function messageOf(stored: StoredEvent): QueuedMessage {
  const { environmentId, place, eventId, event, createdAt } = stored;
  const data = JSON.parse(stored.data) as unknown;
  const envelope = { event, data, id: eventId, created_at: createdAt };
  const body = new TextEncoder().encode(JSON.stringify(envelope));
  return { environmentId, place, eventId, event, body };
}

/** Members of events that name an identity or a detection. */
interface Named {
  readonly identity_id?: number | null;
  readonly merged_into?: number;
  readonly detection_id?: number;
  readonly detection_ids?: readonly number[];
}

/** The identities and detections that a message names, whose messages keep their order. */
export function entitiesOf(body: Uint8Array): readonly string[] {
  const { data } = JSON.parse(new TextDecoder().decode(body)) as { readonly data: Named };
  const identities = [data.identity_id, data.merged_into].filter((id) => typeof id === 'number');
  const detections = [data.detection_id, ...(data.detection_ids ?? [])].filter(
    (id) => id !== undefined,
  );
  return [
    ...identities.map((id) => `identity ${id}`),
    ...detections.map((id) => `detection ${id}`),
  ];
}
