import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerName, EventReceiver, EventStream } from '@sightline/core/events/event-stream';
import type { OutboxReader } from '@sightline/core/events/outbox-reader';
import type { EventPosition } from '@sightline/core/events/stored-event';

/** The delay between a wake and the read, in ms, so that transactions that commit together share one read. */
const GATHER_MS = 10;
const BATCH = 500;
/** The longest pause in ms while an open transaction holds committed events back. No wake tells when it ends. */
const HELD_BACK_MS = 100;

/** An event stream that polls the outbox, for a process without Kafka. */
export class EmbeddedEventStream implements EventStream {
  readonly transport = 'embedded';
  readonly #outbox: OutboxReader;
  readonly #pollMs: number;
  readonly #listeners = new Set<Listener>();

  /** @param pollMs the time between two reads of the outbox, in ms, if no wake comes earlier */
  constructor(outbox: OutboxReader, pollMs: number) {
    this.#outbox = outbox;
    this.#pollMs = pollMs;
  }

  /** Makes all listeners read the outbox now. Called after this process has written events. */
  wake(): void {
    for (const listener of this.#listeners) listener.wake();
  }

  async listen(
    _consumer: ConsumerName,
    receiver: EventReceiver,
    signal: AbortSignal,
  ): Promise<void> {
    const listener = new Listener();
    this.#listeners.add(listener);
    try {
      let position: EventPosition = await this.#outbox.end(signal);
      for (;;) {
        listener.begin();
        const batch = await this.#outbox.read(position, BATCH, signal);
        const { length } = batch.events;
        if (length > 0) {
          position = batch.events[length - 1]!.position;
          await receiver.take(batch, signal);
        }
        if (length > 0 && batch.hasMore) continue;
        const pauseMs = batch.isHeldBack ? Math.min(this.#pollMs, HELD_BACK_MS) : this.#pollMs;
        await listener.rest(pauseMs, signal);
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }
}

/** The pauses of one listener between its reads. A wake ends a pause early. */
class Listener {
  #woken = new AbortController();

  wake(): void {
    this.#woken.abort();
  }

  /** Marks the start of a read, so that a wake during the read causes another read. */
  begin(): void {
    if (this.#woken.signal.aborted) this.#woken = new AbortController();
  }

  async rest(ms: number, signal: AbortSignal): Promise<void> {
    const woken = this.#woken.signal;
    try {
      await sleep(ms, undefined, { signal: AbortSignal.any([signal, woken]) });
    } catch (error) {
      signal.throwIfAborted();
      if (!woken.aborted) throw error;
      await sleep(GATHER_MS, undefined, { signal });
    }
  }
}
