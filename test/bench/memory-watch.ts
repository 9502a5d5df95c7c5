import { setTimeout as sleep } from 'node:timers/promises';
import { readMetrics } from './metrics.ts';
import { median } from './statistics.ts';

/** The resident memory of a process in bytes. */
export async function residentMemory(metricsUrl: string): Promise<number> {
  return (await readMetrics(metricsUrl)).sum('process_resident_memory_bytes');
}

const WINDOW_MS = 30_000;
const SAMPLES = 10;
const MOST_WINDOWS = 20;

/**
 * The resident memory of a process under load in bytes, once it has grown by less than 1 % in half a minute. Without
 * this wait a measurement would include the growth of a new process, which goes on for thousands of requests.
 *
 * @throws Error after ten minutes
 */
export async function settledMemory(metricsUrl: string): Promise<number> {
  let before = 0;
  for (let window = 0; window < MOST_WINDOWS; window++) {
    const samples: number[] = [];
    while (samples.length < SAMPLES) {
      await sleep(WINDOW_MS / SAMPLES);
      samples.push(await residentMemory(metricsUrl));
    }
    const now = median(samples);
    if (now <= 1.01 * before) return now;
    before = now;
  }
  throw new Error('The memory of the process did not settle within ten minutes.');
}

/** Polls the resident memory of a process. */
export class MemoryWatch implements AsyncDisposable {
  readonly #over = new AbortController();
  readonly #url: string;
  readonly #watching: Promise<void>;
  #peak = 0;

  constructor(metricsUrl: string, everyMs = 200) {
    this.#url = metricsUrl;
    this.#watching = this.#watch(everyMs);
  }

  /** The peak since the last call or the start, in bytes. */
  takePeak(): number {
    const peak = this.#peak;
    this.#peak = 0;
    return peak;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#watching;
  }

  async #watch(everyMs: number): Promise<void> {
    const { signal } = this.#over;
    while (!signal.aborted) {
      this.#peak = Math.max(this.#peak, await residentMemory(this.#url));
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
