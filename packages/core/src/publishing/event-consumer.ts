import type { ConsumeEvents, ConsumerStore, Followed } from '../database/consumer-store.ts';
import type { ConsumerName, EventReceiver, EventStream } from '../events/event-stream.ts';

export interface EventConsumerDeps {
  readonly store: ConsumerStore;
  readonly stream: EventStream;
  readonly consumer: ConsumerName;
  readonly consume: ConsumeEvents;
  /** Called after each transaction that may have consumed events. */
  readonly consumed?: () => void;
  /** Called after each delivery of hints, with the numbers of repeated events and of gaps between the hints. */
  readonly followed?: (followed: Pick<Followed, 'repeated' | 'gaps'>) => void;
}

/** The most environments whose events one transaction consumes. */
const ENVIRONMENTS = 100;
/** The age in ms from which the consumer reads an event from the outbox because the stream may have lost it. */
const OVERDUE_MS = { embedded: 500, kafka: 3_000 };

/**
 * Consumes each event once. The events of one environment are consumed in their order. The stream notifies the consumer;
 * events that the stream loses are found in the outbox.
 */
export class EventConsumer {
  readonly #deps: EventConsumerDeps;

  constructor(deps: EventConsumerDeps) {
    this.#deps = deps;
  }

  /**
   * Consumes the events that the stream delivers, until the signal aborts. Calls `works` after each delivery, to
   * report that the task does not fail anymore.
   *
   * @throws StoreUnavailable; the signal's reason on abort
   */
  async listen(signal: AbortSignal, works?: () => void): Promise<void> {
    const { stream, store, consumer, consumed, followed } = this.#deps;
    const receiver: EventReceiver = {
      take: async (batch, cut) => {
        const more = await store.take(this.#deps, batch, cut);
        consumed?.();
        await this.#catchUp(more, cut);
        works?.();
      },
      follow: async (hints, cut) => {
        const { more, ...worth } = await store.follow(this.#deps, hints, cut);
        consumed?.();
        followed?.(worth);
        await this.#catchUp(more, cut);
        works?.();
      },
    };
    await stream.listen(consumer, receiver, signal);
  }

  /**
   * Consumes the events that the stream should have delivered by now.
   *
   * @throws StoreUnavailable; the signal's reason on abort
   */
  async sweep(signal: AbortSignal): Promise<void> {
    const { stream, store, consumer } = this.#deps;
    const overdue = await store.behind(consumer, OVERDUE_MS[stream.transport], signal);
    await this.#catchUp(overdue, signal);
  }

  async #catchUp(environmentIds: readonly number[], signal: AbortSignal): Promise<void> {
    let left = environmentIds;
    while (left.length > 0) {
      signal.throwIfAborted();
      const some = left.slice(0, ENVIRONMENTS);
      const more = await this.#deps.store.catchUp(this.#deps, some, signal);
      this.#deps.consumed?.();
      // Environments with more events go to the end of the list, so that a long backlog does not delay the others.
      left = [...left.slice(ENVIRONMENTS), ...more];
    }
  }
}
