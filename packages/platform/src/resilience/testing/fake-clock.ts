import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that a test advances. After each timer, all microtasks and callbacks run before the next timer. */
export class FakeClock implements Clock {
  #now = 0;
  #timers: Timer[] = [];

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#now + milliseconds, run };
    this.#timers.push(timer);
    return () => (this.#timers = this.#timers.filter((other) => other !== timer));
  }

  /** Advances the clock by a time in ms. Each timer runs at its due time. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await turn();
    for (let next = this.#nextUntil(end); next !== undefined; next = this.#nextUntil(end)) {
      this.#now = Math.max(this.#now, next.at);
      await this.#run(next);
    }
    this.#now = end;
  }

  /** Advances the clock by a time in ms as if the event loop were blocked. All due timers run at the end. */
  async stall(milliseconds: number): Promise<void> {
    this.#now += milliseconds;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    for (const timer of due) await this.#run(timer);
  }

  #nextUntil(end: number): Timer | undefined {
    return this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }

  async #run(timer: Timer): Promise<void> {
    if (!this.#timers.includes(timer)) return;
    this.#timers = this.#timers.filter((other) => other !== timer);
    timer.run();
    await turn();
  }
}
