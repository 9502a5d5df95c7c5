import type { StoredEvent } from '@sightline/core/events/stored-event';
import type { DueAttempt } from '@sightline/core/webhooks/delivery-queue';

export interface FirstAttempt {
  readonly attempt: DueAttempt;
  /** The identities and detections that the message names. Messages with a common entity keep their order. */
  readonly entities: readonly string[];
}

/** Creates the first attempt to send an event. All later attempts send the same bytes. */
export function firstAttemptOf({
  position,
  eventId,
  event,
  data,
  createdAt,
}: StoredEvent): FirstAttempt {
  // `data` is already JSON.
  const body = Buffer.from(
    `{"event":"${event}","data":${data},"id":"${eventId}","created_at":"${createdAt.toISOString()}"}`,
  );
  const attempt = { position, eventId, event, attempt: 1, body };
  return { attempt, entities: entitiesOf(JSON.parse(data) as Named) };
}

export function queuedAttemptOf(attempt: DueAttempt): FirstAttempt {
  const { data } = JSON.parse(new TextDecoder().decode(attempt.body)) as { readonly data: Named };
  return { attempt, entities: entitiesOf(data) };
}

interface Named {
  readonly identity_id?: number | null;
  readonly merged_into?: number;
  readonly detection_id?: number;
  readonly detection_ids?: readonly number[];
}

function entitiesOf(data: Named): readonly string[] {
  const entities: string[] = [];
  const add = (type: string, id: number | null | undefined): void => {
    if (typeof id === 'number') entities.push(`${type} ${id}`);
  };
  add('identity', data.identity_id);
  add('identity', data.merged_into);
  add('detection', data.detection_id);
  for (const id of data.detection_ids ?? []) add('detection', id);
  return entities;
}
