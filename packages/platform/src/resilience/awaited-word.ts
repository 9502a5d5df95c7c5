/** Callers who wait for one word about a service: that it answers, or that it does not. */
export class AwaitedWord {
  readonly #waiting = new Set<PromiseWithResolvers<null>>();

  /**
   * Waits until the word is said.
   *
   * @throws what it is; the signal's reason as soon as it aborts
   */
  async wait(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    const own = Promise.withResolvers<null>();
    const leave = (): void => own.reject(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    this.#waiting.add(own);
    try {
      await own.promise;
    } finally {
      this.#waiting.delete(own);
      signal?.removeEventListener('abort', leave);
    }
  }

  answers(): void {
    for (const { resolve } of this.#waiting) resolve(null);
  }

  fails(error: () => Error): void {
    for (const { reject } of this.#waiting) reject(error());
  }
}
