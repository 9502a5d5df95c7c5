import type { Help, SessionPeers } from '../onnx/session-peers.ts';
import type { JobContext } from './serve-jobs.ts';

/** Work of one network, as it is sent to the other threads. */
interface NetWork {
  readonly net: string;
  readonly work: unknown;
}

/**
 * Connects the networks of one thread with those of the other threads of its pool. All threads have the same networks,
 * so a name identifies a network in each of them.
 */
export class WorkSharing {
  readonly #idle: Int32Array<SharedArrayBuffer>;
  readonly #helps = new Map<string, Help>();
  #job: JobContext | null = null;
  /** Aborts when this thread has to end its help; null while it does not help. */
  #helping: AbortSignal | null = null;

  /** @param idle the memory in which the pool counts its idle threads */
  constructor(idle: SharedArrayBuffer) {
    this.#idle = new Int32Array(idle);
  }

  /** Processes a job whose networks can share their work. */
  async during<Result>(job: JobContext, process: () => Promise<Result>): Promise<Result> {
    this.#job = job;
    try {
      return await process();
    } finally {
      this.#job = null;
    }
  }

  /** @throws the signal's reason if this thread's job or its help was aborted */
  throwIfAborted(): void {
    const signal = this.#job?.signal ?? this.#helping;
    signal?.throwIfAborted();
  }

  peersOf(net: string): SessionPeers {
    const idle = () => (this.#job === null ? 0 : Atomics.load(this.#idle, 0));
    return {
      get idle() {
        return idle();
      },
      share: (work, helpers) => this.#job?.share({ net, work } satisfies NetWork, helpers),
      throwIfAborted: () => this.throwIfAborted(),
      onWork: (help) => this.#helps.set(net, help),
    };
  }

  /** Takes part in work that another thread of the pool has shared. */
  async help(shared: unknown, signal: AbortSignal): Promise<void> {
    const { net, work } = shared as NetWork;
    this.#helping = signal;
    try {
      await this.#helps.get(net)?.(work, signal);
    } finally {
      this.#helping = null;
    }
  }
}
