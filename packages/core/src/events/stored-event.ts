/** The position of an event in the outbox, which is ordered by (xid, id). */
export interface EventPosition {
  /** The 64-bit id of the transaction, as decimal digits. */
  readonly xid: string;
  readonly id: number;
}

export interface StoredEvent {
  readonly environmentId: number;
  readonly position: EventPosition;
  /** The position of the environment's previous event; null if the outbox has no previous event. */
  readonly previous: EventPosition | null;
  /** A UUIDv7, which is the same in all messages about the event. */
  readonly eventId: string;
  /** The name of the event, such as `identity.created`. */
  readonly event: string;
  /** The version of the format of `data`. */
  readonly version: number;
  /** JSON in the format of the event's contract. */
  readonly data: string;
  readonly createdAt: Date;
}

export const FIRST_POSITION: EventPosition = { xid: '0', id: 0 };

/** Returns a negative number if `a` is before `b`, and 0 if they are equal. */
export function comparePositions(a: EventPosition, b: EventPosition): number {
  const [first, second] = [BigInt(a.xid), BigInt(b.xid)];
  if (first !== second) return first < second ? -1 : 1;
  return a.id - b.id;
}
