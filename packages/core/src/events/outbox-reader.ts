import type { EventBatch } from './event-stream.ts';
import type { EventPosition } from './stored-event.ts';

export interface OutboxPage extends EventBatch {
  /** Whether the outbox has more events, which exceeded the limits of the page. */
  readonly hasMore: boolean;
  /** Whether events were committed that cannot be read before an older transaction ends. */
  readonly isHeldBack: boolean;
}

/** Reads the events of all environments, in the order of their positions. All methods throw StoreUnavailable. */
export interface OutboxReader {
  /** Returns a position before the events of all transactions that are open now or start later. */
  end(signal?: AbortSignal): Promise<EventPosition>;
  /**
   * Reads the events after a position: at most `limit`, and at most a few hundred kB of data. No event is ever added at a
   * position before the last event of the page.
   */
  read(after: EventPosition, limit: number, signal?: AbortSignal): Promise<OutboxPage>;
}
