import { Unauthenticated } from '../access/access-errors.ts';
import { RecentReads } from '../access/recent-reads.ts';
import type { Account } from './account.ts';
import {
  type FoundSession,
  type Membership,
  SESSION_DAYS,
  SESSION_IDLE_DAYS,
  type SessionStore,
} from './session-store.ts';
import { parseToken } from './secret-token.ts';

const NOTED_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

/** A valid session. */
export interface Session {
  readonly id: number;
  readonly account: Account;
  /** Null if the account is no member of the environment that the request names, or of none. */
  readonly membership: Membership | null;
}

/** Finds sessions by the tokens of cookies, and remembers valid ones for a few seconds. */
export class SessionAuthenticator {
  readonly #sessions: Pick<SessionStore, 'find' | 'touch'>;
  /** Valid sessions by token and environment. A session may name any number of environments. */
  readonly #recent: RecentReads<FoundSession>;

  constructor(sessions: Pick<SessionStore, 'find' | 'touch'>) {
    this.#sessions = sessions;
    this.#recent = new RecentReads(undefined, ({ account }) => account.id);
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
    const hash = parseToken(token);
    if (hash === null) throw new Unauthenticated();
    const key = `${Buffer.from(hash).toString('hex')} ${environmentId ?? ''}`;
    const found =
      this.#recent.recall(key) ??
      (await this.#recent.read(key, () => this.#find(hash, environmentId, signal)));
    if (found === null || !isValid(found)) throw new Unauthenticated();
    const { id, account, membership } = found;
    return { id, account, membership };
  }

  /** Forgets a session that has ended or changed, so that this process notices at once. */
  forget(id: number): void {
    this.#recent.forget((found) => found.id === id);
  }

  /** Forgets the sessions of an account whose memberships have changed. */
  forgetAccount(accountId: string): void {
    this.#recent.forget(({ account }) => account.id === accountId);
  }

  async #find(
    hash: Uint8Array,
    environmentId: number | null,
    signal: AbortSignal | undefined,
  ): Promise<FoundSession | null> {
    const found = await this.#sessions.find(hash, environmentId, signal);
    if (found === null || !isValid(found)) return null;
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
