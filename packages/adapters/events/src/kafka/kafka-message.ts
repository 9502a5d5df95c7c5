import type { EventHint } from '@sightline/core/events/event-stream';
import type { EventPosition, StoredEvent } from '@sightline/core/events/stored-event';

/** The maximum size of an event's data in a message, in bytes. Brokers accept messages of 1 MiB by default. */
export const LONGEST_DATA = 786_432;

export interface KafkaMessage {
  /** The environment id. Messages with the same key stay in order. */
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A received message. Its content is not trusted, because any client with write access to the topic may have sent it.
 */
export interface ReceivedMessage {
  readonly key: Buffer | null;
  readonly headers?: Readonly<Record<string, Buffer | string | (Buffer | string)[] | undefined>>;
}

/**
 * Converts an event to a message. The value is the body of a webhook, with the environment id added. The headers
 * contain the event's position in the outbox. Data that is too long is omitted and replaced by `data_omitted: true`.
 */
export function toKafkaMessage(event: StoredEvent, epoch: string): KafkaMessage {
  const { environmentId, position, previous } = event;
  const isTooLong = Buffer.byteLength(event.data) > LONGEST_DATA;
  const envelope = {
    event: event.event,
    data: isTooLong ? null : (JSON.parse(event.data) as unknown),
    ...(isTooLong && { data_omitted: true }),
    id: event.eventId,
    created_at: event.createdAt.toISOString(),
    environment_id: environmentId,
  };
  return {
    key: String(environmentId),
    value: JSON.stringify(envelope),
    headers: {
      epoch,
      position: toText(position),
      version: String(event.version),
      ...(previous && { previous: toText(previous) }),
    },
  };
}

/** The hint in a message; null if the message has another format. */
export function toHint({ key, headers = {} }: ReceivedMessage): EventHint | null {
  const [epoch, at, previous] = ['epoch', 'position', 'previous'].map((name) =>
    headers[name]?.toString(),
  );
  const environment = key?.toString() ?? '';
  const position = positionOf(at);
  if (epoch === undefined || position === null || !/^\d{1,15}$/.test(environment)) return null;
  return {
    environmentId: Number(environment),
    epoch,
    position,
    previous: positionOf(previous),
    events: 1,
  };
}

function toText({ xid, id }: EventPosition): string {
  return `${xid}:${id}`;
}

function positionOf(text: string | undefined): EventPosition | null {
  const [, xid, id] = /^(\d{1,20}):(\d{1,15})$/.exec(text ?? '') ?? [];
  return xid === undefined ? null : { xid, id: Number(id) };
}
