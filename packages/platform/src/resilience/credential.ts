import { isDeepStrictEqual } from 'node:util';

/**
 * Reads the valid values of a secret: the current one, and possibly one more, which is still valid while services and
 * their callers take over the current one at different times.
 */
export type ReadValues<T = string> = () => readonly T[];

/** How often the values are read again, in ms. Kubernetes updates a mounted Secret within a minute or two. */
const REFRESH_MS = 10_000;

/**
 * A secret that this process sends to a service. Its values may change while the process runs: they are read again
 * after some time, and at once if the service refuses the value in use.
 */
export class Credential<T = string> {
  readonly #read: ReadValues<T>;
  readonly #now: () => number;
  #current: T;
  #readAt: number;

  /** @param now the time in ms @throws the error of `read` */
  constructor(read: ReadValues<T>, now: () => number = () => performance.now()) {
    this.#read = read;
    this.#now = now;
    this.#readAt = now();
    this.#current = read()[0]!;
  }

  /** The value to send. It is the first one again some time after a refusal of that one. */
  get current(): T {
    if (this.#now() - this.#readAt >= REFRESH_MS)
      this.#current = this.#values()[0] ?? this.#current;
    return this.#current;
  }

  /**
   * Chooses another value after the service has refused one.
   *
   * @returns whether `current` now differs from `refused`, so that a retry may succeed. Of concurrent requests, only the
   *   first reads the values again; the others use what it has chosen.
   */
  renew(refused: T): boolean {
    if (!isDeepStrictEqual(refused, this.#current)) return true;
    const other = this.#values().find((value) => !isDeepStrictEqual(value, refused));
    if (other === undefined) return false;
    this.#current = other;
    return true;
  }

  /** The values; empty if they cannot be read, because their files may be missing while they are replaced. */
  #values(): readonly T[] {
    this.#readAt = this.#now();
    try {
      return this.#read();
    } catch {
      return [];
    }
  }
}

/** The most attempts of one request: with the current value, with the other one, and with one that was just written. */
const ATTEMPTS = 3;

/**
 * Calls a service, and calls it again with another value of the credential if it refuses the one in use.
 *
 * @param isRefusal whether an outcome means that the service refused the value
 * @returns the last answer @throws the last error
 */
export async function withCredential<T, Answer>(
  credential: Credential<T>,
  attempt: (value: T) => Promise<Answer>,
  isRefusal: (outcome: PromiseSettledResult<Answer>) => boolean,
): Promise<Answer> {
  for (let attempts = 1; ; attempts += 1) {
    const value = credential.current;
    const [outcome] = await Promise.allSettled([attempt(value)]);
    if (isRefusal(outcome) && attempts < ATTEMPTS && credential.renew(value)) continue;
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }
}
