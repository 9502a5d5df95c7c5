import type { EventBatch } from './event-stream.ts';
import type { EventPlace } from './stored-event.ts';

export interface OutboxPage extends EventBatch {
  /** Whether there was more than the limits allow. */
  readonly hasMore: boolean;
}

/** Events of all environments, in the order of their places. Throws StoreUnavailable. */
export interface OutboxReader {
  /** A position before the events of all transactions that are open now or begin later. */
  end(signal?: AbortSignal): Promise<EventPlace>;
  /**
   * Reads the events after a position: at most `limit`, and at most some hundred kilobytes of their
   * data. No event appears later before one that was read.
   */
  read(after: EventPlace, limit: number, signal?: AbortSignal): Promise<OutboxPage>;
}
