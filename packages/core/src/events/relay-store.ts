import type { EventPlace } from './stored-event.ts';

/** Up to which event the outbox was published. Throws StoreUnavailable. */
export interface RelayStore {
  /** The position in a topic; before all events if nothing was published there. */
  position(topic: string, signal?: AbortSignal): Promise<EventPlace>;
  /**
   * Moves the position from one event to a later one, or keeps it, which says that the relay is at work. False
   * if another relay has moved it meanwhile.
   */
  move(
    topic: string,
    places: { readonly from: EventPlace; readonly to: EventPlace },
    signal?: AbortSignal,
  ): Promise<boolean>;
}
