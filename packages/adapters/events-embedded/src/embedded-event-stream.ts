import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerName, EventReceiver, EventStream } from '@sightline/core/events/event-stream';
import type { OutboxReader } from '@sightline/core/events/outbox-reader';
import type { EventPlace } from '@sightline/core/events/stored-event';

/** After a nudge: what others commit at the same moment shares a look. */
const GATHER_MS = 10;
const BATCH = 500;

/** Reads the outbox itself. */
export class EmbeddedEventStream implements EventStream {
  readonly transport = 'embedded';
  readonly #outbox: OutboxReader;
  readonly #pollMs: number;
  readonly #resting = new Set<() => void>();

  /** @param pollMs time between two looks at the outbox, in ms, unless there is a nudge */
  constructor(outbox: OutboxReader, pollMs: number) {
    this.#outbox = outbox;
    this.#pollMs = pollMs;
  }

  /** Looks at the outbox now: this process has just written to it. */
  nudge(): void {
    for (const wake of this.#resting) wake();
  }

  async listen(
    _consumer: ConsumerName,
    receiver: EventReceiver,
    signal: AbortSignal,
  ): Promise<void> {
    let place: EventPlace = await this.#outbox.end(signal);
    for (;;) {
      const batch = await this.#outbox.read(place, BATCH, signal);
      const last = batch.events.at(-1);
      if (last === undefined) await this.#rest(signal);
      else {
        place = last.place;
        await receiver.take(batch, signal);
      }
    }
  }

  async #rest(signal: AbortSignal): Promise<void> {
    const nudged = new AbortController();
    const wake = (): void => nudged.abort();
    this.#resting.add(wake);
    try {
      await sleep(this.#pollMs, undefined, { signal: AbortSignal.any([signal, nudged.signal]) });
    } catch (error) {
      signal.throwIfAborted();
      if (!nudged.signal.aborted) throw error;
      await sleep(GATHER_MS, undefined, { signal });
    } finally {
      this.#resting.delete(wake);
    }
  }
}
