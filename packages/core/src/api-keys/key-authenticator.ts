import { Unauthenticated } from '../access/access-errors.ts';
import type { Caller } from '../access/caller.ts';
import { RecentReads } from '../access/recent-reads.ts';
import { parseApiKey, sameHash, type ApiKeyDigest } from './api-key.ts';
import type { ApiKeyRecord, KeyStore } from './key-store.ts';

const NOTED_EVERY_MS = 60_000;

export interface KeyClocks {
  /** Returns the date in ms since 1970, to compare with expiry dates. */
  readonly date?: () => number;
  /**
   * Returns ms since an arbitrary moment, to measure ages. With the date, a revoked key would be remembered too long if
   * the date were set back.
   */
  readonly monotonic?: () => number;
}

/** Finds callers by their keys, and remembers valid keys for a few seconds. */
export class KeyAuthenticator {
  readonly #keys: Pick<KeyStore, 'byPrefix' | 'touch'>;
  readonly #date: () => number;
  readonly #monotonic: () => number;
  /** Valid keys by hash in hex. */
  readonly #recent: RecentReads<ApiKeyRecord>;
  /** For each id of a key, the time when the key's use was last recorded, in ms of the monotonic clock. */
  readonly #noted = new Map<number, number>();

  constructor(keys: Pick<KeyStore, 'byPrefix' | 'touch'>, clocks: KeyClocks = {}) {
    this.#keys = keys;
    this.#date = clocks.date ?? (() => Date.now());
    this.#monotonic = clocks.monotonic ?? (() => performance.now());
    this.#recent = new RecentReads(this.#monotonic);
  }

  /**
   * Returns the caller who has this key, and records the key's use in the background.
   *
   * @throws Unauthenticated if the text is no key, or the key is unknown, revoked or expired; StoreUnavailable
   */
  async authenticate(text: string, signal?: AbortSignal): Promise<Caller> {
    const digest = parseApiKey(text);
    if (digest === null) throw new Unauthenticated();
    const key = Buffer.from(digest.hash).toString('hex');
    const record =
      this.#recent.recall(key) ?? (await this.#recent.read(key, () => this.#find(digest, signal)));
    if (record === null || !isValid(record, this.#date())) throw new Unauthenticated();
    this.#noteUse(record.id);
    const { id, environmentId, countedOwnerId, right, isAdmin } = record;
    return {
      keyId: id,
      accountId: null,
      environmentId,
      countedOwnerId,
      right: right === 'full' ? 'owner' : right,
      isAdmin,
    };
  }

  async #find({ prefix, hash }: ApiKeyDigest, signal?: AbortSignal): Promise<ApiKeyRecord | null> {
    const records = await this.#keys.byPrefix(prefix, signal);
    const record = records.find((candidate) => sameHash(candidate.hash, hash)) ?? null;
    return record !== null && isValid(record, this.#date()) ? record : null;
  }

  #noteUse(id: number): void {
    const now = this.#monotonic();
    const noted = this.#noted.get(id);
    if (noted !== undefined && now - noted < NOTED_EVERY_MS) return;
    this.#noted.set(id, now);
    // If recording fails, the request is answered anyway, and the next use tries again.
    this.#keys.touch(new Map([[id, new Date(this.#date())]])).catch(() => this.#noted.delete(id));
  }
}

function isValid({ revokedAt, expiresAt }: ApiKeyRecord, now: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt.getTime() > now);
}
