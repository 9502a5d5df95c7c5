import type { ConsumeEvents, ConsumerStore, Followed } from '../database/consumer-store.ts';
import type { ConsumerName, EventReceiver, EventStream } from '../events/event-stream.ts';

export interface EventConsumerDeps {
  readonly store: ConsumerStore;
  readonly stream: EventStream;
  readonly consumer: ConsumerName;
  readonly consume: ConsumeEvents;
  /** Called after each transaction that may have moved positions. */
  readonly consumed?: () => void;
  /** Called with the outcome of the stream's hints. */
  readonly followed?: (followed: Pick<Followed, 'repeated' | 'gaps'>) => void;
}

/** The number of environments that one transaction catches up in. */
const ENVIRONMENTS = 100;
/**
 * The age in ms at which the consumer reads an event from the outbox, even if the stream did not
 * notify it.
 */
const OVERDUE_MS = { embedded: 500, kafka: 3_000 };

/**
 * Consumes every event once, in the order of each environment. The stream notifies it of events;
 * those that the stream loses are found in the outbox.
 */
export class EventConsumer {
  readonly #deps: EventConsumerDeps;

  constructor(deps: EventConsumerDeps) {
    this.#deps = deps;
  }

  /**
   * Consumes what the stream delivers, until the signal aborts; calls `works` after each delivery.
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
      // The other environments come first, so that one with a long backlog does not delay them.
      left = [...left.slice(ENVIRONMENTS), ...more];
    }
  }
}
