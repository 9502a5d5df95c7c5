import type { EventPlace } from './stored-event.ts';

/** The progress of a relay. */
export interface RelayState {
  readonly topic: string;
  /** How long the next event of the relay has waited to be published, in seconds; 0 if no event waits. */
  readonly lagSeconds: number;
  /** How long ago the relay last recorded that it is running, in seconds. */
  readonly silentSeconds: number;
}

/** The positions up to which the outbox was published. Throws StoreUnavailable. */
export interface RelayStore {
  /** The position in a topic; before all events if nothing was published there. */
  position(topic: string, signal?: AbortSignal): Promise<EventPlace>;
  /**
   * Moves the position from one event to a later one; keeping it shows that the relay is running. False
   * if another relay has moved it.
   */
  move(
    topic: string,
    places: { readonly from: EventPlace; readonly to: EventPlace },
    signal?: AbortSignal,
  ): Promise<boolean>;
  /** The positions of topics with an event of the last seven days. */
  states(signal?: AbortSignal): Promise<readonly RelayState[]>;
}
