/** Whether the service refuses the requests of this page because the session has ended. */
export class ExpiredSession {
  #hasEnded = false;
  readonly #listeners = new Set<() => void>();

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  readonly end = (): void => this.#set(true);

  readonly renew = (): void => this.#set(false);

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #set(hasEnded: boolean): void {
    this.#hasEnded = hasEnded;
    for (const listener of this.#listeners) listener();
  }
}
