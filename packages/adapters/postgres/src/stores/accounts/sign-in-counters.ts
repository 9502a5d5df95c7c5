import { createHmac } from 'node:crypto';
import type {
  SignInCounters,
  SignInCounterStore,
  SignInSubject,
  SignOnRefusal,
} from '@sightline/core/accounts/sign-in-counters';
import type { KeySource } from '@sightline/core/secrets/secret-box';
import type { Doors } from '../../doors/doors.ts';

const MOST_OF_BOTH = 5;
const MOST_OF_ADDRESS = 20;
const MOST_OF_EMAIL = 50;
/** How long a failure counts. */
const WINDOW = "interval '10 minutes'";
/** How long an address stays known after its last sign-in. */
const KNOWN = "interval '90 days'";

const MAY_TRY = `
  SELECT
    (SELECT count(*) FROM sign_in_failures
      WHERE email = $1 AND address = $2 AND at > now() - ${WINDOW}) < ${MOST_OF_BOTH}
    AND (SELECT count(*) FROM sign_in_failures
      WHERE address = $2 AND at > now() - ${WINDOW}) < ${MOST_OF_ADDRESS}
    AND ((SELECT count(*) FROM sign_in_failures
      WHERE email = $1 AND at > now() - ${WINDOW}) <= ${MOST_OF_EMAIL}
      OR EXISTS (SELECT FROM known_addresses WHERE email = $1 AND address = $2
        AND used_at > now() - ${KNOWN})) AS "mayTry"`;

/** Removes what no longer counts, a few rows at a time. */
const OLD_FAILURES = `old AS (
    DELETE FROM sign_in_failures WHERE id IN (
      SELECT id FROM sign_in_failures WHERE at <= now() - ${WINDOW} ORDER BY at LIMIT 100
      FOR UPDATE SKIP LOCKED)
  )`;

/**
 * One statement records the attempt for known and unknown
 * e-mail addresses, so that both take the same time.
 */
const FAILED = `
  WITH ${OLD_FAILURES}, refused AS (
    INSERT INTO audit (entity_type, action, entity_ids, details, request_id)
    SELECT 'user', 'refuse_sign_in', ARRAY[id], jsonb_build_object('address', $4::text), $5
    FROM accounts WHERE email = $3
  )
  INSERT INTO sign_in_failures (email, address) VALUES ($1, $2)`;

const MAY_TRY_FROM = `
  SELECT (SELECT count(*) FROM sign_in_failures
    WHERE address = $1 AND at > now() - ${WINDOW}) < ${MOST_OF_ADDRESS} AS "mayTry"`;

/** The e-mail address of attempts that name none. No account has it. */
const NO_EMAIL = '';

const FAILED_FROM = `
  WITH ${OLD_FAILURES}, refused AS (
    INSERT INTO audit (entity_type, action, entity_ids, details, request_id)
    SELECT 'user', 'refuse_sign_in', array_remove(ARRAY[$4::text], NULL),
      jsonb_build_object('address', $3::text, 'by', 'oidc', 'reason', $5::text), $6
    WHERE $5::text IS NOT NULL
  )
  INSERT INTO sign_in_failures (email, address) VALUES ($1, $2)`;

const SUCCEEDED = `
  WITH old AS (
    DELETE FROM known_addresses WHERE (email, address) IN (
      SELECT email, address FROM known_addresses
      WHERE used_at <= now() - ${KNOWN} AND (email, address) <> ($1, $2)
      ORDER BY used_at LIMIT 100 FOR UPDATE SKIP LOCKED)
  )
  INSERT INTO known_addresses AS known (email, address) VALUES ($1, $2)
  ON CONFLICT (email, address) DO UPDATE SET used_at = now()
    WHERE known.used_at < now() - interval '1 hour'`;

const PURPOSE = 'failed sign-ins';

export function signInCounterStore(doors: Doors): SignInCounterStore {
  return { keyed: (keys) => new PostgresSignInCounters(doors, keys) };
}

class PostgresSignInCounters implements SignInCounters {
  readonly #doors: Doors;
  readonly #keys: Pick<KeySource, 'derive'>;
  #installation: string | null = null;

  constructor(doors: Doors, keys: Pick<KeySource, 'derive'>) {
    this.#doors = doors;
    this.#keys = keys;
  }

  async mayTry(subject: SignInSubject, signal?: AbortSignal): Promise<boolean> {
    const digests = await this.#digestsOf(subject);
    const [row] = await this.#doors.onPlatform(
      'accounts',
      (session) => session.query<{ mayTry: boolean }>(MAY_TRY, digests),
      signal,
    );
    return row!.mayTry;
  }

  async failed(subject: SignInSubject, requestId: string): Promise<void> {
    const { email, address } = subject;
    const digests = await this.#digestsOf(subject);
    await this.#doors.onPlatform('accounts', (session) =>
      session.query(FAILED, [...digests, email, address, requestId]),
    );
  }

  async mayTryFrom(address: string, signal?: AbortSignal): Promise<boolean> {
    const digest = await this.#digestOf(address);
    const [row] = await this.#doors.onPlatform(
      'accounts',
      (session) => session.query<{ mayTry: boolean }>(MAY_TRY_FROM, [digest]),
      signal,
    );
    return row!.mayTry;
  }

  async failedFrom(
    address: string,
    refusal: SignOnRefusal | null,
    requestId: string,
  ): Promise<void> {
    const { accountId = null, reason = null } = refusal ?? {};
    const digests = await this.#digestsOf({ email: NO_EMAIL, address });
    await this.#doors.onPlatform('accounts', (session) =>
      session.query(FAILED_FROM, [...digests, address, accountId, reason, requestId]),
    );
  }

  async succeeded(subject: SignInSubject): Promise<void> {
    const digests = await this.#digestsOf(subject);
    await this.#doors.onPlatform('accounts', (session) => session.query(SUCCEEDED, digests));
  }

  async unlock(email: string): Promise<number> {
    const digest = await this.#digestOf(email);
    const forgotten = await this.#doors.onPlatform('accounts', (session) =>
      session.query('DELETE FROM sign_in_failures WHERE email = $1 RETURNING id', [digest]),
    );
    return forgotten.length;
  }

  async #digestsOf({ email, address }: SignInSubject): Promise<readonly Uint8Array[]> {
    return [await this.#digestOf(email), await this.#digestOf(address)];
  }

  async #digestOf(text: string): Promise<Uint8Array> {
    const key = this.#keys.derive(PURPOSE) ?? (await this.#installationId());
    return createHmac('sha256', key).update(text).digest();
  }

  async #installationId(): Promise<string> {
    if (this.#installation === null) {
      const [row] = await this.#doors.onPlatform('accounts', (session) =>
        session.query<{ id: string }>('SELECT id FROM installation', []),
      );
      this.#installation = row!.id;
    }
    return this.#installation;
  }
}
