import type { ConsumeEvents, ConsumerStore, Followed } from '../database/consumer-store.ts';
import type { ConsumerName, EventReceiver, EventStream } from '../events/event-stream.ts';

export interface EventConsumerDeps {
  readonly store: ConsumerStore;
  readonly stream: EventStream;
  readonly consumer: ConsumerName;
  readonly consume: ConsumeEvents;
  /** After a transaction that may have moved places. */
  readonly consumed?: () => void;
  /** The outcome of the stream's hints. */
  readonly followed?: (followed: Pick<Followed, 'repeated' | 'gaps'>) => void;
}

/** Environments that one transaction catches up in. */
const ENVIRONMENTS = 100;
/** How old an event is, in ms, before the consumer looks for it in the outbox by itself. */
const OVERDUE_MS = { embedded: 500, kafka: 3_000 };

/**
 * Consumes every event once, in the order of each environment. The stream says what has come; what it has
 * lost is found in the outbox.
 */
export class EventConsumer {
  readonly #deps: EventConsumerDeps;

  constructor(deps: EventConsumerDeps) {
    this.#deps = deps;
  }

  /**
   * Consumes what the stream gives, until the signal aborts; calls `works` each time it has.
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
   * Consumes what the stream should have given by now.
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
      // The others first: an environment with a long backlog does not hold them up.
      left = [...left.slice(ENVIRONMENTS), ...more];
    }
  }
}
