import { Unauthenticated } from '../access/access-errors.ts';
import type { Caller } from '../access/caller.ts';
import { parseApiKey, sameHash, type ApiKeyDigest } from './api-key.ts';
import type { ApiKeyRecord, KeyStore } from './key-store.ts';

/**
 * How long a key is remembered. A revocation takes effect within 5 s: this time and the read of one
 * row.
 */
const REMEMBERED_MS = 4000;
const MOST_REMEMBERED = 1000;
const NOTED_EVERY_MS = 60_000;

interface Remembered {
  readonly record: ApiKeyRecord;
  /** When it was read, in ms of the monotonic clock. */
  readonly readAt: number;
}

export interface KeyClocks {
  /** Milliseconds since 1970, which expiries are compared with. */
  readonly date?: () => number;
  /**
   * Milliseconds since an arbitrary moment, to measure ages. The date is unfit for that: if it were
   * set back, a revoked key would be remembered until the date has caught up.
   */
  readonly monotonic?: () => number;
}

/** Finds callers by their keys, and remembers them for a few seconds. */
export class KeyAuthenticator {
  readonly #keys: Pick<KeyStore, 'byPrefix' | 'touch'>;
  readonly #date: () => number;
  readonly #monotonic: () => number;
  /** Valid keys by hash (hex), in the order in which they were read. */
  readonly #remembered = new Map<string, Remembered>();
  /**
   * The time at which the use of each key was last recorded, in ms of the monotonic clock, by the
   * key's id.
   */
  readonly #noted = new Map<number, number>();

  constructor(keys: Pick<KeyStore, 'byPrefix' | 'touch'>, clocks: KeyClocks = {}) {
    this.#keys = keys;
    this.#date = clocks.date ?? (() => Date.now());
    this.#monotonic = clocks.monotonic ?? (() => performance.now());
  }

  /**
   * Answers the caller who has this key, and records the key's use in the background.
   *
   * @throws Unauthenticated alike for no key at all and for one that is unknown, revoked or
   *   expired; StoreUnavailable
   */
  async authenticate(text: string, signal?: AbortSignal): Promise<Caller> {
    const digest = parseApiKey(text);
    if (digest === null) throw new Unauthenticated();
    const record = this.#recall(digest) ?? (await this.#read(digest, signal));
    if (record === null || !isValid(record, this.#date())) throw new Unauthenticated();
    this.#noteUse(record.id);
    const { id, environmentId, right, isAdmin } = record;
    return { keyId: id, environmentId, right, isAdmin };
  }

  #recall({ hash }: ApiKeyDigest): ApiKeyRecord | null {
    const remembered = this.#remembered.get(hex(hash));
    if (remembered === undefined) return null;
    return this.#monotonic() - remembered.readAt < REMEMBERED_MS ? remembered.record : null;
  }

  async #read({ prefix, hash }: ApiKeyDigest, signal?: AbortSignal): Promise<ApiKeyRecord | null> {
    const readAt = this.#monotonic();
    const records = await this.#keys.byPrefix(prefix, signal);
    const record = records.find((candidate) => sameHash(candidate.hash, hash)) ?? null;
    this.#remembered.delete(hex(hash));
    if (record !== null && isValid(record, this.#date())) {
      this.#remember(hex(hash), { record, readAt });
    }
    return record;
  }

  #remember(key: string, remembered: Remembered): void {
    if (this.#remembered.size >= MOST_REMEMBERED) {
      const [oldest] = this.#remembered.keys();
      this.#remembered.delete(oldest!);
    }
    this.#remembered.set(key, remembered);
  }

  #noteUse(id: number): void {
    const now = this.#monotonic();
    const noted = this.#noted.get(id);
    if (noted !== undefined && now - noted < NOTED_EVERY_MS) return;
    this.#noted.set(id, now);
    // A use that cannot be recorded is no reason to refuse the request; the next use records it.
    this.#keys.touch(new Map([[id, new Date(this.#date())]])).catch(() => this.#noted.delete(id));
  }
}

function isValid({ revokedAt, expiresAt }: ApiKeyRecord, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt.getTime() > now);
}

function hex(hash: Uint8Array): string {
  return Buffer.from(hash).toString('hex');
}
