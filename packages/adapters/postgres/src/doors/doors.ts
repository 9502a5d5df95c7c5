import type { EntityLock } from '@sightline/core/store/entity-lock';
import type { Scope } from '@sightline/core/store/scope';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import type { Guard } from '@sightline/platform/resilience/guard';
import pg from 'pg';
import type { TransactionSignals } from './lent-client.ts';
import { LockPlan } from './lock-plan.ts';
import { runReading, runStatement, runTransaction, type Statement } from './run-transaction.ts';
import { lostAgainstAnother, toStoreFailure, toWriterFailure } from './store-failure.ts';
import type { TransactionSession } from './transaction-session.ts';

/** What the platform door is opened for; each is seen in the server's activity view. */
export type PlatformPurpose =
  | 'accounts'
  | 'events'
  | 'index'
  | 'installation'
  | 'jobs'
  | 'leases'
  | 'maintenance'
  | 'models'
  | 'settings';

/** Goes on if all of these locks are held; otherwise the transaction begins again with them. */
export type RequireLocks = (...locks: readonly EntityLock[]) => void;

export interface DoorOptions {
  /** Around each transaction: what it throws there is what callers see. */
  readonly guard?: Guard | undefined;
  /** As of the pools. */
  readonly applicationName?: string | undefined;
}

/** How often a transaction begins again, for a lock that it lacked or because it lost. */
const MAX_RESTARTS = 5;

/**
 * The only ways into the database. All of them throw StoreUnavailable if it cannot be reached, is
 * full or gave up, and the signal's reason on abort; then nothing of the transaction remains.
 */
export class Doors {
  readonly #app: pg.Pool;
  readonly #platform: pg.Pool;
  readonly #guard: Guard | undefined;
  readonly #applicationName: string;

  constructor(
    pools: { readonly app: pg.Pool; readonly platform: pg.Pool },
    { guard, applicationName = 'sightline' }: DoorOptions = {},
  ) {
    this.#app = pools.app;
    this.#platform = pools.platform;
    this.#guard = guard;
    this.#applicationName = applicationName;
  }

  /** Reads within one environment. */
  async withScope<T>(
    { environmentId }: Scope,
    work: (session: TransactionSession) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#read(beginInScope(environmentId, ' READ ONLY'), work, signal);
  }

  /**
   * Writes within one environment. The locks are taken before anything else: transactions that
   * conflict then get their numbers in the order in which they commit, and the outbox, read by
   * number, tells each entity's story as it happened.
   *
   * Where the work asks for more, it begins again. If those come later in the order and nothing was
   * written, the transaction keeps what it holds, so that those who do the same to one entity take
   * turns and do not overtake each other for ever. The last time it has the whole environment for
   * itself: what is changed all the time can be changed, too.
   */
  async withEntities<T>(
    { environmentId, locks }: Scope & { readonly locks: readonly EntityLock[] },
    work: (session: TransactionSession, require: RequireLocks) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    let plan = LockPlan.of(environmentId, locks);
    return restarting(async (restarts) => {
      let missing: EntityLock[] = [];
      const require = (...wanted: readonly EntityLock[]): void => {
        missing.push(...wanted.filter((lock) => !plan.covers(lock)));
        if (missing.length > 0) throw new LocksMissing();
      };
      const attempt = async (session: TransactionSession): Promise<T> => {
        try {
          const result = await work(session, require);
          if (missing.length === 0) return result;
        } catch (error) {
          if (missing.length === 0) throw error;
        }
        // The work may have caught what tells it to begin again; it goes no further all the same.
        if (!plan.precedes(missing) || restarts.isLast || !restarts.take()) {
          throw new LocksMissing();
        }
        const renewed = session.renew();
        if (await hasWritten(renewed)) throw new LocksMissing();
        await renewed.query(LockPlan.of(environmentId, missing).toSql());
        plan = plan.with(missing);
        missing = [];
        return attempt(renewed);
      };
      const begin = `${beginInScope(environmentId)}; ${plan.toSql()}`;
      try {
        return await this.#run(this.#app, { begin, signal, toFailure: toWriterFailure }, attempt);
      } catch (error) {
        if (missing.length === 0) throw error;
        plan = plan.with(restarts.isLast ? [{ entity: 'environment' }] : missing);
        return RESTART;
      }
    });
  }

  /** Reads and writes the data of all environments and of the installation. */
  async withPlatform<T>(
    purpose: PlatformPurpose,
    work: (session: TransactionSession) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const name = pg.escapeLiteral(`${this.#applicationName} ${purpose}`);
    const begin = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL application_name = ${name}`;
    const options = { begin, signal, toFailure: toWriterFailure };
    return restarting(() => this.#run(this.#platform, options, work));
  }

  /**
   * One statement on the data of all environments or of the installation, which is a transaction of
   * its own: what is asked all the time costs one way to the server, not three. What it is for stands
   * in front of it in the activity view. After an abort it may have been carried out.
   */
  async onPlatform<Row>(
    purpose: PlatformPurpose,
    { text, values }: Statement,
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    const statement = { text: `/* ${purpose} */ ${text}`, ...(values && { values }) };
    return restarting(() =>
      this.#guarded({ signal, toFailure: toWriterFailure }, (signals) =>
        runStatement<Row>(this.#platform, statement, signals),
      ),
    );
  }

  /** Whether the database answers; never throws. */
  async ready(signal?: AbortSignal): Promise<boolean> {
    return this.#read('BEGIN READ ONLY', () => Promise.resolve(true), signal).catch(() => false);
  }

  #read<T>(
    begin: string,
    work: (session: TransactionSession) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return this.#guarded({ signal, toFailure: toStoreFailure }, (signals) =>
      runReading(this.#app, { begin, ...signals }, work),
    );
  }

  #run<T>(
    pool: pg.Pool,
    { begin, ...options }: RunOptions & { readonly begin: string },
    work: (session: TransactionSession) => Promise<T>,
  ): Promise<T> {
    return this.#guarded(options, (signals) => runTransaction(pool, { begin, ...signals }, work));
  }

  /** Under the guard, if there is one. */
  async #guarded<T>(
    { signal: caller, toFailure }: RunOptions,
    run: (signals: TransactionSignals) => Promise<T>,
  ): Promise<T> {
    const attempt = async (signal: AbortSignal | undefined): Promise<T> => {
      try {
        return await run({ signal, caller });
      } catch (error) {
        throw toFailure(error);
      }
    };
    return this.#guard === undefined ? attempt(caller) : this.#guard(attempt, caller);
  }
}

interface RunOptions {
  readonly signal: AbortSignal | undefined;
  readonly toFailure: (error: unknown) => unknown;
}

/** Only ever seen by the door that threw it. */
class LocksMissing extends Error {}

const RESTART = Symbol('restart');

/** How often something may still begin again. */
class Restarts {
  #left = MAX_RESTARTS;

  get isLast(): boolean {
    return this.#left === 1;
  }

  /** Whether it may; one less then. */
  take(): boolean {
    return this.#left-- > 0;
  }
}

async function restarting<T>(
  attempt: (restarts: Restarts) => Promise<T | typeof RESTART>,
): Promise<T> {
  const restarts = new Restarts();
  do {
    try {
      const result = await attempt(restarts);
      if (result !== RESTART) return result;
    } catch (error) {
      if (!lostAgainstAnother(error)) throw error;
    }
  } while (restarts.take());
  throw new StoreUnavailable('The same things were being changed all the time; try again.');
}

/** A transaction has a number once it has written. */
async function hasWritten(session: TransactionSession): Promise<boolean> {
  const [row] = await session.query<{ written: boolean }>(
    'SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS written',
  );
  return row!.written;
}

/**
 * Begins a transaction within an environment. SET takes no parameters, so that the id stands in the
 * text; it is one only if it is a whole number. Nobody asks for READ WRITE: a standby refuses that
 * with an error of its own, and a server that protects a full disk would grant it.
 */
function beginInScope(environmentId: number, access: '' | ' READ ONLY' = ''): string {
  if (!Number.isSafeInteger(environmentId) || environmentId < 1) {
    throw new RangeError(`${environmentId} is not the id of an environment.`);
  }
  return `BEGIN ISOLATION LEVEL READ COMMITTED${access}; SET LOCAL sightline.environment_id = ${environmentId}`;
}
