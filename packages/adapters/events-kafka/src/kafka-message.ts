import type { EventPlace, StoredEvent } from '@sightline/core/events/stored-event';

/** A message as it is published. */
export interface KafkaMessage {
  /** The environment: its events keep their order. */
  readonly key: string;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A message as it has come: whoever may write into the topic has written it. */
export interface ReceivedMessage {
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, Buffer | string | (Buffer | string)[] | undefined>>;
}

/** The members of a value. */
interface Envelope {
  readonly event: string;
  readonly data: unknown;
  readonly id: string;
  readonly created_at: string;
  readonly environment_id: number;
}

/** An event as a message: its value is that of webhooks with the environment, its headers say where it stands. */
export function toKafkaMessage(event: StoredEvent, epoch: string): KafkaMessage {
  const { environmentId, place, previous } = event;
  const envelope: Envelope = {
    event: event.event,
    data: JSON.parse(event.data) as unknown,
    id: event.eventId,
    created_at: event.createdAt.toISOString(),
    environment_id: environmentId,
  };
  return {
    key: String(environmentId),
    value: JSON.stringify(envelope),
    headers: {
      epoch,
      place: toText(place),
      version: String(event.version),
      ...(previous && { previous: toText(previous) }),
    },
  };
}

/** The event of a message, with the epoch of its place; null if the message is none of ours. */
export function fromKafkaMessage({
  value,
  headers = {},
}: ReceivedMessage): { readonly epoch: string; readonly event: StoredEvent } | null {
  const [epoch, place, previous, version] = ['epoch', 'place', 'previous', 'version'].map((name) =>
    headers[name]?.toString(),
  );
  const at = placeOf(place);
  if (epoch === undefined || at === null || value === null) return null;
  const envelope = parse(value);
  if (envelope === null) return null;
  const event: StoredEvent = {
    environmentId: envelope.environment_id,
    place: at,
    previous: placeOf(previous),
    eventId: envelope.id,
    event: envelope.event,
    version: Number(version),
    data: JSON.stringify(envelope.data),
    createdAt: new Date(envelope.created_at),
  };
  return { epoch, event };
}

function parse(value: Buffer): Envelope | null {
  try {
    const parsed = JSON.parse(value.toString()) as Partial<Envelope> | null;
    return Number.isSafeInteger(parsed?.environment_id) ? (parsed as Envelope) : null;
  } catch {
    return null;
  }
}

function toText({ xid, id }: EventPlace): string {
  return `${xid}:${id}`;
}

function placeOf(text: string | undefined): EventPlace | null {
  const [, xid, id] = /^(\d{1,20}):(\d{1,16})$/.exec(text ?? '') ?? [];
  return xid === undefined ? null : { xid, id: Number(id) };
}
