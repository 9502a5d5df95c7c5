interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

/**
 * Limits the bytes that concurrent work holds in memory. What is larger than the limit is held alone. Those that wait are
 * served in their order, so that small amounts do not keep a large one waiting.
 */
export class ByteGate {
  readonly #most: number;
  readonly #waiting: Waiting[] = [];
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Waits until the bytes may be held. Disposal gives them back. */
  async hold(bytes: number): Promise<Disposable> {
    const free = Promise.withResolvers<undefined>();
    this.#waiting.push({ bytes, go: () => free.resolve(undefined) });
    this.#serve();
    await free.promise;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#held -= bytes;
        this.#serve();
      },
    };
  }

  #serve(): void {
    for (;;) {
      const [first] = this.#waiting;
      if (first === undefined || (this.#held > 0 && this.#held + first.bytes > this.#most)) return;
      this.#waiting.shift();
      this.#held += first.bytes;
      first.go();
    }
  }
}
