const NAME = 'sightline-account';

/**
 * Compares the accounts of all tabs, because they share the session's cookie: once another account has signed in, the
 * requests of a tab would count as those of that account.
 */
export class AccountWatch {
  readonly #readAccount: () => Promise<string>;
  readonly #channel = new BroadcastChannel(NAME);
  readonly #listeners = new Set<() => void>();
  #account: string | null = null;
  #isReplaced = false;

  /** @param readAccount reads the account of the session from the service */
  constructor(readAccount: () => Promise<string>) {
    this.#readAccount = readAccount;
    this.#channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (this.#account !== null && data !== this.#account) void this.#check();
    };
  }

  /** Whether another account has signed in since this tab has read its own. */
  get isReplaced(): boolean {
    return this.#isReplaced;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes over the account of the session that was read; null after a sign-out. */
  readonly read = (account: string | null): void => {
    if (account !== null && this.#account !== null) this.#compare(account);
    else this.#account = account;
    if (account !== null && !this.#isReplaced) this.#channel.postMessage(account);
  };

  close(): void {
    this.#channel.close();
  }

  /** Messages may be late, so the service decides. */
  async #check(): Promise<void> {
    try {
      this.#compare(await this.#readAccount());
    } catch {
      // Without a session there is no other account; the requests of the page say so.
    }
  }

  #compare(account: string): void {
    if (this.#account === null || account === this.#account || this.#isReplaced) return;
    this.#isReplaced = true;
    for (const listener of this.#listeners) listener();
  }
}
