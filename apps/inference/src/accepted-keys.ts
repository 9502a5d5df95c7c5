import { createHash, timingSafeEqual } from 'node:crypto';
import type { ReadValues } from '@sightline/platform/resilience/credential';

/** How often the keys are read again, in ms, so that a removed key is soon refused. */
const REFRESH_MS = 5_000;
/** The shortest time between two reads, in ms. Callers with wrong keys cannot make the process read all the time. */
const LEAST_MS = 1_000;

/** The number of accepted keys, and the use of the previous one, which the operations port reports. */
export interface KeysReport {
  readonly accepted: number;
  /**
   * Seconds since a caller sent the previous key, or since the process began to accept that key; null while only one key
   * is accepted.
   */
  readonly previousUsedSecondsAgo: number | null;
}

/**
 * The keys of which a caller must send one. Two keys may be valid at a time, because the Secret with the keys reaches
 * this process and its callers at different times.
 */
export class AcceptedKeys {
  readonly #read: ReadValues;
  readonly #now: () => number;
  #digests: readonly Buffer[];
  #readAt: number;
  #previousUsedAt: number | null = null;

  /** @param now the time in ms */
  constructor(read: ReadValues, now: () => number = () => performance.now()) {
    this.#read = read;
    this.#now = now;
    this.#readAt = now();
    this.#digests = [];
    this.#use(read());
  }

  get report(): KeysReport {
    this.#refresh(REFRESH_MS);
    const at = this.#previousUsedAt;
    const previousUsedSecondsAgo = at === null ? null : Math.round((this.#now() - at) / 1_000);
    return { accepted: this.#digests.length, previousUsedSecondsAgo };
  }

  /**
   * Whether the value of an Authorization header has an accepted key as a bearer token (RFC 6750). If it has none, the
   * keys are read again. Compares digests in constant time, so that the duration reveals neither the keys nor their
   * lengths.
   */
  accept(authorization: string): boolean {
    const given = digestOf(authorization);
    this.#refresh(REFRESH_MS);
    return this.#has(given) || (this.#refresh(LEAST_MS) && this.#has(given));
  }

  #has(given: Buffer): boolean {
    const equal = this.#digests.map((digest) => timingSafeEqual(digest, given));
    if (equal.indexOf(true) > 0) this.#previousUsedAt = this.#now();
    return equal.includes(true);
  }

  /**
   * Accepts the keys. A new previous key counts as used now: the process cannot know yet whether callers still send it.
   */
  #use(keys: readonly string[]): void {
    const [, before] = this.#digests;
    this.#digests = keys.map((key) => digestOf(`Bearer ${key}`));
    const [, previous] = this.#digests;
    if (previous === undefined) this.#previousUsedAt = null;
    else if (before?.equals(previous) !== true) this.#previousUsedAt = this.#now();
  }

  /** Reads the keys if the last read is older than `ms`. @returns whether it has read them */
  #refresh(ms: number): boolean {
    if (this.#now() - this.#readAt < ms) return false;
    this.#readAt = this.#now();
    try {
      this.#use(this.#read());
      return true;
    } catch {
      // The file may be missing while it is replaced; the known keys stay valid.
      return false;
    }
  }
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
