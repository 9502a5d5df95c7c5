import { orAbort } from '@sightline/platform/resilience/or-abort';

/**
 * The layout of the shared memory, in words: three words for the whole budget, and then two words
 * for each share.
 */
const LOCK = 0;
const NEXT_TICKET = 1;
const CHANGES = 2;
const FIRST_SHARE = 3;
const WORDS_PER_SHARE = 2;

export interface PixelBudgetOptions {
  /** The memory from {@link PixelBudget.allocate}, which all threads share. */
  readonly memory: SharedArrayBuffer;
  /** The index of this thread's share, from 0. */
  readonly share: number;
  /** The pixel limit of all shares together, at most 2^31 - 1. */
  readonly limit: number;
}

/** Pixels of the budget. Disposal releases them. */
export interface Reservation extends Disposable {
  /** Releases what is held in excess of this many pixels. */
  shrinkTo(pixels: number): void;
}

/**
 * Bounds the decoded pixels that all threads of the process hold at once. Each thread has a share,
 * which records the pixels that the thread holds and its ticket while it waits. The longest-waiting
 * thread is served first, so that small images cannot starve a large one.
 *
 * All state is in shared memory, because a thread that decodes may be terminated at any point. The
 * main thread then clears the share of the terminated thread, and releases the lock if that thread
 * held it.
 */
export class PixelBudget {
  readonly #words: Int32Array<SharedArrayBuffer>;
  readonly #share: number;
  readonly #limit: number;

  constructor({ memory, share, limit }: PixelBudgetOptions) {
    this.#words = new Int32Array(memory);
    this.#share = share;
    this.#limit = limit;
  }

  static allocate(shares: number): SharedArrayBuffer {
    const words = FIRST_SHARE + shares * WORDS_PER_SHARE;
    return new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT);
  }

  static alone(limit: number): PixelBudget {
    return new PixelBudget({ memory: PixelBudget.allocate(1), share: 0, limit });
  }

  /**
   * Frees the share of a terminated thread: its pixels, its ticket, and the lock if the thread held
   * it.
   */
  static reclaim(memory: SharedArrayBuffer, share: number): void {
    const words = new Int32Array(memory);
    Atomics.store(words, heldAt(share), 0);
    Atomics.store(words, ticketAt(share), 0);
    Atomics.compareExchange(words, LOCK, share + 1, 0);
    notifyWaiters(words);
  }

  get inFlight(): number {
    let sum = 0;
    for (let at = heldAt(0); at < this.#words.length; at += WORDS_PER_SHARE) {
      sum += Atomics.load(this.#words, at);
    }
    return sum;
  }

  /**
   * Waits until this many pixels are free and reserves them. More pixels than the limit take the whole budget. Disposal
   * releases them. A share may hold several reservations but waits for only one at a time. Waiting does not keep the
   * thread alive.
   *
   * @throws on abort, the signal's reason
   */
  async acquire(requested: number, signal?: AbortSignal): Promise<Reservation> {
    const pixels = Math.min(requested, this.#limit);
    signal?.throwIfAborted();
    this.#enqueue();
    try {
      // The counter of changes is read before the attempt, so that a change during the attempt is not missed.
      let seen = Atomics.load(this.#words, CHANGES);
      while (!this.#tryReserve(pixels)) {
        await waitForChange(this.#words, seen, signal);
        seen = Atomics.load(this.#words, CHANGES);
      }
    } finally {
      Atomics.store(this.#words, ticketAt(this.#share), 0);
      notifyWaiters(this.#words);
    }
    let held = pixels;
    const shrinkTo = (left: number): void => {
      const released = Math.max(0, held - left);
      held -= released;
      if (released > 0) this.#release(released);
    };
    return { shrinkTo, [Symbol.dispose]: () => shrinkTo(0) };
  }

  #enqueue(): void {
    // A ticket is never 0, because 0 means that the share is not waiting.
    const ticket = Atomics.add(this.#words, NEXT_TICKET, 2) | 1;
    if (Atomics.compareExchange(this.#words, ticketAt(this.#share), 0, ticket) !== 0) {
      throw new Error('This share of the pixel budget is already waiting for pixels.');
    }
  }

  #tryReserve(pixels: number): boolean {
    this.#lock();
    const free = this.#isFirst() && this.inFlight + pixels <= this.#limit;
    if (free) Atomics.add(this.#words, heldAt(this.#share), pixels);
    Atomics.store(this.#words, LOCK, 0);
    return free;
  }

  /** Takes a spin lock, which is held for some hundred nanoseconds and never across an await. */
  #lock(): void {
    while (Atomics.compareExchange(this.#words, LOCK, 0, this.#share + 1) !== 0);
  }

  #isFirst(): boolean {
    const own = Atomics.load(this.#words, ticketAt(this.#share));
    for (let at = ticketAt(0); at < this.#words.length; at += WORDS_PER_SHARE) {
      const other = Atomics.load(this.#words, at);
      // The difference of the two tickets is compared, because the ticket counter wraps around.
      if (other !== 0 && ((other - own) | 0) < 0) return false;
    }
    return true;
  }

  #release(pixels: number): void {
    Atomics.sub(this.#words, heldAt(this.#share), pixels);
    notifyWaiters(this.#words);
  }
}

function heldAt(share: number): number {
  return FIRST_SHARE + share * WORDS_PER_SHARE;
}

function ticketAt(share: number): number {
  return heldAt(share) + 1;
}

function notifyWaiters(words: Int32Array<SharedArrayBuffer>): void {
  Atomics.add(words, CHANGES, 1);
  Atomics.notify(words, CHANGES);
}

/** Resolves when another thread announces a change after `seen` was read. */
async function waitForChange(
  words: Int32Array<SharedArrayBuffer>,
  seen: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const wait = Atomics.waitAsync(words, CHANGES, seen);
  if (wait.async) await orAbort(wait.value, signal);
}
