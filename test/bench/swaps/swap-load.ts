import { performance } from 'node:perf_hooks';
import { LoadGenerator, type LoadedService } from '../load-generator.ts';
import type { Photo } from '../photos.ts';
import type { WorkloadName } from '../workloads.ts';

/** Of the clock of `performance.now()`, in milliseconds. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

/** What the clients send, each one request after the other. */
const CLIENTS: readonly WorkloadName[] = ['identify', 'detect'];

/** Clients that ask a service until they are stopped, and note how long each answer took. */
export class SwapLoad implements AsyncDisposable {
  readonly #generator: LoadGenerator;
  readonly #clients: readonly Promise<void>[];
  readonly #answers: Period[] = [];
  readonly #failures: string[] = [];
  #isOver = false;

  constructor(service: LoadedService, photos: readonly Photo[]) {
    this.#generator = new LoadGenerator(service, photos);
    this.#clients = CLIENTS.map((workload) => this.#ask(workload));
  }

  get answers(): readonly Period[] {
    return this.#answers;
  }

  /** What was answered instead of a result. */
  get failures(): readonly string[] {
    return this.#failures;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
    this.#generator[Symbol.dispose]();
  }

  async #ask(workload: WorkloadName): Promise<void> {
    for (let first = 0; !this.#isOver; first++) {
      const start = performance.now();
      try {
        await this.#generator.run({ workload, first, operations: 1, concurrency: 1 });
        this.#answers.push({ start, end: performance.now() });
      } catch (error) {
        this.#failures.push(String(error));
      }
    }
  }
}
