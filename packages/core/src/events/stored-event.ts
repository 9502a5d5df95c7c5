/** The position of an event in the outbox, which is ordered by (xid, id). */
export interface EventPlace {
  /** Decimal digits. */
  readonly xid: string;
  readonly id: number;
}

/** An event as the outbox has it. */
export interface StoredEvent {
  readonly environmentId: number;
  readonly place: EventPlace;
  /** The place of the event before it in its environment; null if the outbox has none. */
  readonly previous: EventPlace | null;
  /** UUIDv7; the same wherever the event is published. */
  readonly eventId: string;
  /** Its name, and the version of its data. */
  readonly event: string;
  readonly version: number;
  /** JSON, as the contract of the event has it. */
  readonly data: string;
  readonly createdAt: Date;
}

/** The position before all events. */
export const FIRST_PLACE: EventPlace = { xid: '0', id: 0 };

/** Negative if the first place is before the second one, 0 if both are the same. */
export function comparePlaces(a: EventPlace, b: EventPlace): number {
  const [first, second] = [BigInt(a.xid), BigInt(b.xid)];
  if (first !== second) return first < second ? -1 : 1;
  return a.id - b.id;
}
