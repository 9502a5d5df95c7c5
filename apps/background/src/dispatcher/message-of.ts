import type { StoredEvent } from '@sightline/core/events/stored-event';
import type { DueAttempt } from '@sightline/core/webhooks/delivery-queue';
import { messageBody } from '@sightline/core/webhooks/message-body';

export interface FirstAttempt {
  readonly attempt: DueAttempt;
  /** The identities and detections that the message names. Messages with a common entity keep their order. */
  readonly entities: readonly string[];
}

/** Creates the first attempt to send an event. All later attempts send the same bytes. */
export function firstAttemptOf(stored: StoredEvent): FirstAttempt {
  const { position, eventId, event } = stored;
  const attempt = { position, eventId, event, attempt: 1, body: messageBody(stored) };
  return { attempt, entities: entitiesOf(JSON.parse(stored.data) as Named) };
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
