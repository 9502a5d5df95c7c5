import type { EventBatch } from './event-stream.ts';
import type { EventPlace } from './stored-event.ts';

export interface OutboxPage extends EventBatch {
  /** Whether there was more than the limits allow. */
  readonly hasMore: boolean;
}

/** Events of all environments, in the order of their places. Throws StoreUnavailable. */
export interface OutboxReader {
  /** A place after which all events come whose transactions are open, or begin, now. */
  end(signal?: AbortSignal): Promise<EventPlace>;
  /**
   * Events after a place: up to so many, and up to some hundred kilobytes of their data. No event appears later
   * before one that was read.
   */
  read(after: EventPlace, limit: number, signal?: AbortSignal): Promise<OutboxPage>;
}
