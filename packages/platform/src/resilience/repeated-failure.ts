/** Reports the failure of work that is retried, but not again while the retries fail in the same way. */
export class RepeatedFailure {
  readonly #report: (error: unknown) => void;
  /** The message of the last failure; null after a success. */
  #message: string | null = null;

  constructor(report: (error: unknown) => void) {
    this.#report = report;
  }

  /** Whether the last try failed. */
  get isFailing(): boolean {
    return this.#message !== null;
  }

  failed(error: unknown): void {
    const message = String(error);
    const isRepeated = message === this.#message;
    this.#message = message;
    if (!isRepeated) this.#report(error);
  }

  succeeded(): void {
    this.#message = null;
  }
}
