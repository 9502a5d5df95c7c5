import { Unauthenticated } from '../access/access-errors.ts';
import type { Account } from './account.ts';
import {
  type FoundSession,
  type Membership,
  SESSION_DAYS,
  SESSION_IDLE_DAYS,
  type SessionStore,
} from './session-store.ts';
import { parseSessionToken } from './session-token.ts';

/**
 * How long a session is remembered, in ms. The end of a session takes effect within 5 s, which includes a second for
 * reading the row.
 */
const REMEMBERED_MS = 4000;
const MOST_REMEMBERED = 1000;
const NOTED_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

/** A valid session. */
export interface Session {
  readonly id: number;
  readonly account: Account;
  /** Null if the account is no member of the environment that the request names, or of none. */
  readonly membership: Membership | null;
}

interface Remembered {
  readonly found: FoundSession;
  /** The time of the read, in ms of the monotonic clock. */
  readonly readAt: number;
}

/** Finds sessions by the tokens of cookies, and remembers valid ones for a few seconds. */
export class SessionAuthenticator {
  readonly #sessions: Pick<SessionStore, 'find' | 'touch'>;
  /** Valid sessions by token and environment, in the order in which they were read. */
  readonly #remembered = new Map<string, Remembered>();

  constructor(sessions: Pick<SessionStore, 'find' | 'touch'>) {
    this.#sessions = sessions;
  }

  /**
   * Returns the session of a token, and records its use in the background.
   *
   * @param environmentId the environment that the request names; null for the account's default one
   * @throws Unauthenticated if the session is unknown, ended or expired, or its account is disabled; StoreUnavailable
   */
  async authenticate(
    token: string,
    environmentId: number | null,
    signal?: AbortSignal,
  ): Promise<Session> {
    const hash = parseSessionToken(token);
    if (hash === null) throw new Unauthenticated();
    const key = `${Buffer.from(hash).toString('hex')} ${environmentId ?? ''}`;
    const found = this.#recall(key) ?? (await this.#read({ hash, environmentId, key }, signal));
    if (found === null || !isValid(found)) throw new Unauthenticated();
    const { id, account, membership } = found;
    return { id, account, membership };
  }

  /** Forgets a session that has ended or changed, so that this process notices at once. */
  forget(id: number): void {
    for (const [key, { found }] of this.#remembered) {
      if (found.id === id) this.#remembered.delete(key);
    }
  }

  #recall(key: string): FoundSession | null {
    const remembered = this.#remembered.get(key);
    if (remembered === undefined) return null;
    return performance.now() - remembered.readAt < REMEMBERED_MS ? remembered.found : null;
  }

  async #read(
    { hash, environmentId, key }: { hash: Uint8Array; environmentId: number | null; key: string },
    signal?: AbortSignal,
  ): Promise<FoundSession | null> {
    const readAt = performance.now();
    const found = await this.#sessions.find(hash, environmentId, signal);
    this.#remembered.delete(key);
    if (found === null || !isValid(found)) return null;
    if (this.#remembered.size >= MOST_REMEMBERED) {
      const [oldest] = this.#remembered.keys();
      this.#remembered.delete(oldest!);
    }
    this.#remembered.set(key, { found, readAt });
    this.#noteUse(found);
    return found;
  }

  /** Records the use. Every session is read again after a few seconds of use, so the stored time is recent. */
  #noteUse({ id, lastUsedAt }: FoundSession): void {
    const now = new Date();
    if (now.getTime() - lastUsedAt.getTime() < NOTED_EVERY_MS) return;
    // If recording fails, the request is answered anyway, and the next use tries again.
    this.#sessions.touch(id, now).catch(() => undefined);
  }
}

function isValid({ account, createdAt, lastUsedAt }: FoundSession): boolean {
  const now = Date.now();
  return (
    !account.isDisabled &&
    now - createdAt.getTime() < SESSION_DAYS * DAY_MS &&
    now - lastUsedAt.getTime() < SESSION_IDLE_DAYS * DAY_MS
  );
}
