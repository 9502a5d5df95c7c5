import { TooManyRequests } from '@sightline/core/access/access-errors';
import { RecentReads } from '@sightline/core/access/recent-reads';
import { effectiveSettings } from '@sightline/core/settings/effective-settings';
import type { SystemSettings } from '@sightline/core/settings/settings-store';

const MINUTE_MS = 60_000;
const KEY = 'system.rate_limit_per_minute';
const UNLIMITED = 0;

interface Bucket {
  /** The number of requests that the key may send at once. */
  tokens: number;
  /** The time of that number, in ms of the monotonic clock. */
  at: number;
}

/**
 * Limits the requests of each key, if the installation has a limit per minute. A key that was silent may send the
 * requests of a minute at once. Each process counts for itself.
 */
export class RateLimit {
  readonly #settings: Pick<SystemSettings, 'all'>;
  readonly #now: () => number;
  /** The buckets of keys in the order of their last requests. */
  readonly #buckets = new Map<number, Bucket>();
  readonly #limits: RecentReads<number>;

  /** @param now a monotonic clock, in ms */
  constructor(settings: Pick<SystemSettings, 'all'>, now: () => number = () => performance.now()) {
    this.#settings = settings;
    this.#now = now;
    this.#limits = new RecentReads(now);
  }

  /** @throws TooManyRequests, StoreUnavailable */
  async require(keyId: number): Promise<void> {
    const perMinute = await this.#perMinute();
    if (perMinute === UNLIMITED) {
      this.#buckets.clear();
      return;
    }
    const now = this.#now();
    this.#forgetFull(now);
    const bucket = this.#buckets.get(keyId) ?? { tokens: perMinute, at: now };
    const added = ((now - bucket.at) * perMinute) / MINUTE_MS;
    const tokens = Math.min(perMinute, bucket.tokens + added);
    if (tokens < 1) throw new TooManyRequests(perMinute, ((1 - tokens) * 60) / perMinute);
    this.#buckets.delete(keyId);
    this.#buckets.set(keyId, { tokens: tokens - 1, at: now });
  }

  /** A bucket that was not used for a minute is full, like that of an unknown key. */
  #forgetFull(now: number): void {
    for (const [keyId, { at }] of this.#buckets) {
      if (now - at < MINUTE_MS) return;
      this.#buckets.delete(keyId);
    }
  }

  async #perMinute(): Promise<number> {
    const read = async () => effectiveSettings(await this.#settings.all()).rateLimitPerMinute;
    return this.#limits.recall(KEY) ?? (await this.#limits.read(KEY, read)) ?? UNLIMITED;
  }
}
