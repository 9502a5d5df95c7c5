import type { Outcome } from './circuit.ts';

/** Requests that wait for an answer, and can be ended all at once. */
export class RequestsUnderWay {
  readonly #cuts = new Set<(error: Error) => void>();
  readonly #isFailure: (error: unknown) => boolean;

  /** @param isFailure whether an error says that the service is down */
  constructor(isFailure: (error: unknown) => boolean) {
    this.#isFailure = isFailure;
  }

  get count(): number {
    return this.#cuts.size;
  }

  /** Runs a request until it settles or is cut. Never rejects. */
  async run<T>(
    operation: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<T>> {
    const controller = new AbortController();
    const { promise: whenCut, resolve } = Promise.withResolvers<Outcome<T>>();
    const cut = (error: Error): void => {
      // The caller hears this error, not the one that the operation makes of the abort.
      resolve({ kind: 'failed', error });
      controller.abort(error);
    };
    const pass = (): void => controller.abort(signal?.reason);
    signal?.addEventListener('abort', pass, { once: true });
    this.#cuts.add(cut);
    try {
      return await Promise.race([whenCut, this.#attempt(operation, controller, signal)]);
    } finally {
      this.#cuts.delete(cut);
      signal?.removeEventListener('abort', pass);
    }
  }

  /** Ends all of them with an error, whether or not they heed their signals. */
  cutAll(error: () => Error): void {
    for (const cut of [...this.#cuts]) cut(error());
  }

  async #attempt<T>(
    operation: (signal: AbortSignal) => Promise<T>,
    controller: AbortController,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<T>> {
    try {
      return { kind: 'answered', value: await operation(controller.signal) };
    } catch (error) {
      if (signal?.aborted === true) return { kind: 'aborted', error: signal.reason };
      return { kind: this.#isFailure(error) ? 'failed' : 'refused', error };
    }
  }
}
