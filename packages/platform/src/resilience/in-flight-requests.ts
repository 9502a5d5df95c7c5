import { orAbort } from './or-abort.ts';

export type RequestOutcome<T> =
  | { readonly kind: 'answered'; readonly value: T }
  /** The service has refused the request, so the service works. */
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** The caller has aborted the request, so the result says nothing about the service. */
  | { readonly kind: 'aborted'; readonly error: unknown };

/** The requests that wait for an answer. `failAll` fails all of them. */
export class InFlightRequests {
  readonly #controllers = new Set<AbortController>();
  readonly #isFailure: (error: unknown) => boolean;

  /** @param isFailure whether an error means that the service is down */
  constructor(isFailure: (error: unknown) => boolean) {
    this.#isFailure = isFailure;
  }

  get count(): number {
    return this.#controllers.size;
  }

  /** Runs a request until it settles or `failAll` is called. Never rejects. */
  async run<T>(
    operation: (signal: AbortSignal) => Promise<T>,
    caller: AbortSignal | undefined,
  ): Promise<RequestOutcome<T>> {
    const controller = new AbortController();
    const { signal } = controller;
    const either = caller === undefined ? signal : AbortSignal.any([caller, signal]);
    this.#controllers.add(controller);
    try {
      return { kind: 'answered', value: await orAbort(operation(either), signal) };
    } catch (error) {
      if (signal.aborted) return { kind: 'failed', error: signal.reason };
      if (caller?.aborted === true) return { kind: 'aborted', error: caller.reason };
      return { kind: this.#isFailure(error) ? 'failed' : 'refused', error };
    } finally {
      this.#controllers.delete(controller);
    }
  }

  /**
   * Aborts every request. A request fails at once even if its operation ignores the signal.
   *
   * @param makeError creates an error for each caller
   */
  failAll(makeError: () => Error): void {
    for (const controller of this.#controllers) controller.abort(makeError());
  }
}
