import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerName, EventReceiver, EventStream } from '@sightline/core/events/event-stream';
import type { OutboxReader } from '@sightline/core/events/outbox-reader';
import type { EventPlace } from '@sightline/core/events/stored-event';

/** Delay after a wake, in ms, so that transactions that commit at the same time share a read. */
const GATHER_MS = 10;
const BATCH = 500;
/** Longest pause after a batch, in ms: concurrent events may not have been below the horizon. */
const PAUSE_MS = 100;

/** The event stream of a process that reads the outbox itself, without Kafka. */
export class EmbeddedEventStream implements EventStream {
  readonly transport = 'embedded';
  readonly #outbox: OutboxReader;
  readonly #pollMs: number;
  readonly #listeners = new Set<Listener>();

  /** @param pollMs time between two reads of the outbox, in ms, unless a wake comes */
  constructor(outbox: OutboxReader, pollMs: number) {
    this.#outbox = outbox;
    this.#pollMs = pollMs;
  }

  /** Reads the outbox now: this process has just written to it. */
  nudge(): void {
    for (const listener of this.#listeners) listener.nudge();
  }

  async listen(
    _consumer: ConsumerName,
    receiver: EventReceiver,
    signal: AbortSignal,
  ): Promise<void> {
    const listener = new Listener();
    this.#listeners.add(listener);
    try {
      let place: EventPlace = await this.#outbox.end(signal);
      for (;;) {
        listener.begin();
        const batch = await this.#outbox.read(place, BATCH, signal);
        const { length } = batch.events;
        if (length > 0) {
          place = batch.events[length - 1]!.place;
          await receiver.take(batch, signal);
        }
        // A pause lets single events gather: a transaction costs more than an event.
        if (length === 0) await listener.rest(this.#pollMs, signal);
        else if (!batch.hasMore) await listener.rest(Math.min(this.#pollMs, PAUSE_MS), signal);
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }
}

/** Pauses between two reads. */
class Listener {
  #woken = new AbortController();

  nudge(): void {
    this.#woken.abort();
  }

  /** Starts a read: wakes from now on cause another one. */
  begin(): void {
    if (this.#woken.signal.aborted) this.#woken = new AbortController();
  }

  async rest(ms: number, signal: AbortSignal): Promise<void> {
    const nudged = this.#woken.signal;
    try {
      await sleep(ms, undefined, { signal: AbortSignal.any([signal, nudged]) });
    } catch (error) {
      signal.throwIfAborted();
      if (!nudged.aborted) throw error;
      await sleep(GATHER_MS, undefined, { signal });
    }
  }
}
