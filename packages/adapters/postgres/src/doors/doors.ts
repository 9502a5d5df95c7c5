import type { EntityLock } from '@sightline/core/store/entity-lock';
import type { Scope } from '@sightline/core/store/scope';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import type { Guard } from '@sightline/platform/resilience/guard';
import pg from 'pg';
import { KeptPlans } from './kept-plans.ts';
import type { TransactionSignals } from './lent-client.ts';
import { LockPlan } from './lock-plan.ts';
import {
  runReading,
  runStatement,
  runTransaction,
  type TransactionOptions,
} from './run-transaction.ts';
import { lostAgainstAnother, toStoreFailure, toWriterFailure } from './store-failure.ts';
import type { TransactionSession } from './transaction-session.ts';

/** The purpose of a platform transaction, which the server's activity view shows. */
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

/** Continues if all of these locks are held; otherwise the transaction restarts with them. */
export type RequireLocks = (...locks: readonly EntityLock[]) => void;

export interface DoorOptions {
  /** Wraps each transaction; its errors reach the callers. */
  readonly guard?: Guard | undefined;
  /** The application name of the pools. */
  readonly applicationName?: string | undefined;
  /** How long connections keep plans, in ms; 10 s if absent. */
  readonly plansKept?: number | undefined;
}

/** Time limit of a statement that reads whole tables, in ms. */
const SURVEY_MS = 3_600_000;
/** The extra time in ms for the server to report that it ended a statement at its time limit. */
const MARGIN_MS = 5_000;

/** The number of restarts of a transaction that lacks a lock, or that the server ended in favor of another one. */
const MAX_RESTARTS = 5;

/**
 * Event consumers commit without waiting for the disk. The events themselves are safe, because their writers waited.
 * If the server crashes and loses such a transaction, the consumer's position is lost as well, so the consumer repeats
 * the work with the same ids.
 */
const UNFLUSHED = 'SET LOCAL synchronous_commit = off';

/**
 * Makes the planner read events in the order of an index, a page at a time. The planner knows little about a table
 * that has just grown; without this setting it would collect and sort all later events for every page.
 */
const IN_ORDER = 'SET LOCAL enable_bitmapscan = off';

/**
 * The only access to the database. Each of the methods that take work is a door: it runs that work in a transaction
 * with the rights of one role. Every door throws StoreUnavailable if the database cannot be reached, is full or ran
 * into a time limit, and the signal's reason on abort; the transaction is then rolled back.
 */
export class Doors {
  readonly #app: pg.Pool;
  readonly #platform: pg.Pool;
  readonly #guard: Guard | undefined;
  readonly #applicationName: string;
  readonly #plans: KeptPlans;

  constructor(
    pools: { readonly app: pg.Pool; readonly platform: pg.Pool },
    { guard, applicationName = 'sightline', plansKept }: DoorOptions = {},
  ) {
    this.#app = pools.app;
    this.#platform = pools.platform;
    this.#guard = guard;
    this.#applicationName = applicationName;
    this.#plans = new KeptPlans(plansKept);
  }

  /** Reads within one environment; all statements see the same rows. */
  async withScope<T>(
    { environmentId }: Scope,
    work: (session: TransactionSession) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#read(beginInScope(environmentId, 'REPEATABLE READ, READ ONLY'), work, signal);
  }

  /**
   * Writes within one environment. The transaction takes the locks before its first write, so that conflicting
   * transactions get their ids in commit order, and the outbox, read by id, has each entity's events in the order
   * in which they happened.
   *
   * If the work needs a lock that is not held, the transaction restarts with it. If that lock comes later in the
   * lock order and nothing was written yet, the transaction keeps the locks that it holds: writers of one entity
   * then take turns instead of overtaking each other. The last attempt locks the whole environment, so that even a
   * hot entity can be changed.
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
        // The work may have caught LocksMissing; its transaction must still not commit.
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
      const begin = `${beginInScope(environmentId, 'READ COMMITTED')}; ${plan.toSql()}`;
      try {
        return await this.#run(this.#app, { begin, signal, toFailure: toWriterFailure }, attempt);
      } catch (error) {
        if (missing.length === 0) throw error;
        plan = plan.with(restarts.isLast ? [{ entity: 'environment' }] : missing);
        return RESTART;
      }
    });
  }

  /** Reads and writes the data of all environments and of the installation, in a transaction. */
  async withPlatform<T>(
    purpose: PlatformPurpose,
    work: (session: TransactionSession) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const name = this.#activity(purpose);
    const begin = [
      'BEGIN ISOLATION LEVEL READ COMMITTED',
      `SET LOCAL application_name = ${name}`,
      ...(purpose === 'events' ? [UNFLUSHED, IN_ORDER] : []),
    ].join('; ');
    const options = { begin, signal, toFailure: toWriterFailure };
    return restarting(() => this.#run(this.#platform, options, work));
  }

  /**
   * Reads a snapshot of the data of all environments. Its statements may scan whole tables and take up to an hour
   * each. Such a transaction delays only the vacuum: it locks no entity, and readers of the outbox do not wait for
   * it, because it has no transaction id.
   */
  async surveyPlatform<T>(
    purpose: PlatformPurpose,
    work: (session: TransactionSession) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const begin = [
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
      `SET LOCAL application_name = ${this.#activity(purpose)}`,
      `SET LOCAL statement_timeout = ${SURVEY_MS}`,
      'SET LOCAL transaction_timeout = 0',
    ].join('; ');
    const options = { begin, signal, toFailure: toStoreFailure };
    const answerTimeout = SURVEY_MS + MARGIN_MS;
    return this.#run(this.#platform, { ...options, answerTimeout }, work);
  }

  /**
   * Runs one statement, of the query builder or SQL text, on the data of all environments and of the installation.
   * The statement is a transaction of its own: one round trip instead of three. The activity view shows the
   * purpose in front of it. After an abort the statement may still have been executed.
   */
  async onPlatform<T>(
    purpose: PlatformPurpose,
    statement: (session: TransactionSession) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return restarting(() =>
      this.#guarded({ signal, toFailure: toWriterFailure }, (signals) =>
        runStatement(this.#platform, { purpose, ...signals }, statement),
      ),
    );
  }

  /** Whether the database answers; never throws. */
  async ready(signal?: AbortSignal): Promise<boolean> {
    return this.#read('BEGIN READ ONLY', () => Promise.resolve(true), signal).catch(() => false);
  }

  /** The text that the server's activity view shows. */
  #activity(purpose: PlatformPurpose): string {
    return pg.escapeLiteral(`${this.#applicationName} ${purpose}`);
  }

  #read<T>(
    begin: string,
    work: (session: TransactionSession) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    return this.#guarded({ signal, toFailure: toStoreFailure }, (signals) =>
      runReading(this.#app, { begin, plans: this.#plans, ...signals }, work),
    );
  }

  #run<T>(
    pool: pg.Pool,
    {
      begin,
      answerTimeout,
      ...options
    }: RunOptions & Pick<TransactionOptions, 'begin' | 'answerTimeout'>,
    work: (session: TransactionSession) => Promise<T>,
  ): Promise<T> {
    return this.#guarded(options, (signals) =>
      runTransaction(pool, { begin, answerTimeout, plans: this.#plans, ...signals }, work),
    );
  }

  /** Runs the transaction under the guard, if there is one. */
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

/** Thrown and caught within a door: callers never see it. */
class LocksMissing extends Error {}

const RESTART = Symbol('restart');

/** Counts the restarts that are left. */
class Restarts {
  #left = MAX_RESTARTS;

  get isLast(): boolean {
    return this.#left === 1;
  }

  /** Uses one restart; false if none is left. */
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

/** Whether the transaction has written: only then does it have an id. */
async function hasWritten(session: TransactionSession): Promise<boolean> {
  const [row] = await session.query<{ written: boolean }>(
    'SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS written',
  );
  return row!.written;
}

/**
 * Begins a transaction within an environment. SET takes no parameters, so the id is part of the text and must be a
 * whole number. READ WRITE is never requested: a standby refuses it with an error of its own, and a server that
 * protects a full disk would grant it.
 */
function beginInScope(
  environmentId: number,
  mode: 'READ COMMITTED' | 'REPEATABLE READ, READ ONLY',
): string {
  if (!Number.isSafeInteger(environmentId) || environmentId < 1) {
    throw new RangeError(`${environmentId} is not the id of an environment.`);
  }
  return `BEGIN ISOLATION LEVEL ${mode}; SET LOCAL sightline.environment_id = ${environmentId}`;
}
