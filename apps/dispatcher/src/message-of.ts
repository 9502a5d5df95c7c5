import type { StoredEvent } from '@sightline/core/events/stored-event';
import type { DueAttempt } from '@sightline/core/webhooks/delivery-queue';

/** The first attempt to tell of an event. Its bytes are made here: those of all attempts are the same. */
export function firstAttemptOf({
  place,
  eventId,
  event,
  data,
  createdAt,
}: StoredEvent): DueAttempt {
  // The outbox has the data as it was written.
  const body = Buffer.from(
    `{"event":"${event}","data":${data},"id":"${eventId}","created_at":"${createdAt.toISOString()}"}`,
  );
  return { place, eventId, event, attempt: 1, body };
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
