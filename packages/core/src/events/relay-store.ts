import type { EventPosition } from './stored-event.ts';

export interface RelayState {
  readonly topic: string;
  /** How long the next event of the relay has waited to be published, in seconds; 0 if no event waits. */
  readonly lagSeconds: number;
  /** How long ago the relay last recorded that it is running, in seconds. */
  readonly silentSeconds: number;
}

/** Stores by topic up to which position of the outbox events were published. All methods throw StoreUnavailable. */
export interface RelayStore {
  /** Returns the position of a topic, or the position before all events if nothing was published to the topic yet. */
  position(topic: string, signal?: AbortSignal): Promise<EventPosition>;
  /**
   * Moves the position of a topic, and records that the relay is running; `from` and `to` may be the same. Returns false
   * if another relay has moved the position.
   */
  move(
    topic: string,
    positions: { readonly from: EventPosition; readonly to: EventPosition },
    signal?: AbortSignal,
  ): Promise<boolean>;
  /** Returns the states of all topics to which an event of the last seven days was published. */
  states(signal?: AbortSignal): Promise<readonly RelayState[]>;
}
