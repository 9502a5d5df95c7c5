import type { EntityLock } from '@sightline/core/store/entity-lock';
import type { Scope } from '@sightline/core/store/scope';
import type { Guard } from '@sightline/platform/resilience/guard';
import pg from 'pg';
import type { BinaryRow } from './copy-out.ts';
import { GroupCommit } from './group-commit.ts';
import { GroupMembership } from './group-membership.ts';
import { beginHolding } from './hold-group.ts';
import { KeptPlans } from './kept-plans.ts';
import type { TransactionSignals } from './lent-client.ts';
import { LockPlan } from './lock-plan.ts';
import { MARGIN_MS } from './open-pools.ts';
import { RESTART, restarting } from './restarting.ts';
import {
  runCopy,
  runReading,
  runStatement,
  runTransaction,
  type TransactionOptions,
} from './run-transaction.ts';
import { toStoreFailure, toWriterFailure } from './store-failure.ts';
import type { TransactionSession } from './transaction-session.ts';

/** The purpose of a platform transaction, shown in the server's activity view (`pg_stat_activity`). */
export type PlatformPurpose =
  | 'accounts'
  | 'events'
  | 'index'
  | 'installation'
  | 'jobs'
  | 'leases'
  | 'maintenance'
  | 'models'
  | 'settings'
  | 'similarity';

/**
 * Returns if the transaction holds all of these locks. Otherwise this function throws, and the door restarts the
 * transaction with the locks.
 */
export type RequireLocks = (...locks: readonly EntityLock[]) => void;

export interface BeginScope {
  readonly environmentId: number;
  /** A further statement at the beginning of the transaction, in the same round trip. */
  readonly alsoBegin?: string | undefined;
}

export interface BeginWrite extends BeginScope {
  readonly locks: readonly EntityLock[];
  /**
   * If present, the commit does not wait for the disk. Called with a promise that resolves when the transaction is on the
   * disk, each time that the transaction joins a group: again after a restart, and not at all if its own commit has to
   * wait.
   */
  readonly deferred?: ((flushed: Promise<void>) => void) | undefined;
}

export interface DoorOptions {
  /** The circuit breaker that wraps each transaction. Its errors reach the callers. */
  readonly guard?: Guard | undefined;
  readonly applicationName?: string | undefined;
  /** How long connections keep query plans, in ms. The default is 10 s. */
  readonly plansKept?: number | undefined;
}

/** The time limit of a statement that reads whole tables, in ms. */
const SURVEY_MS = 3_600_000;

/**
 * Commits of event consumers do not wait for the disk. The events are safe, because the transactions that wrote the
 * events did wait. If a server crash loses a commit, it also loses the new position of the consumer. The consumer then
 * repeats the work with the same event ids.
 */
const UNFLUSHED = 'SET LOCAL synchronous_commit = off';

/**
 * Makes the planner read events in the order of an index, page by page. Statistics of a table that has just grown are
 * outdated; without these settings the planner would collect and sort all later events for every page.
 */
const IN_ORDER = 'SET LOCAL enable_bitmapscan = off; SET LOCAL enable_seqscan = off';

/**
 * The only access to the database. Each method that takes `work` is a door: it runs the work in a transaction with the
 * rights of one role. Every door throws StoreUnavailable if the database is unreachable, full or over a time limit, and
 * the signal's reason on abort. After an error the transaction is rolled back.
 */
export class Doors {
  readonly #app: pg.Pool;
  readonly #platform: pg.Pool;
  readonly #guard: Guard | undefined;
  readonly #applicationName: string;
  readonly #plans: KeptPlans;
  readonly #groups: GroupCommit;

  constructor(
    pools: { readonly app: pg.Pool; readonly platform: pg.Pool },
    { guard, applicationName = 'sightline', plansKept }: DoorOptions = {},
  ) {
    this.#app = pools.app;
    this.#platform = pools.platform;
    this.#guard = guard;
    this.#applicationName = applicationName;
    this.#plans = new KeptPlans(plansKept);
    this.#groups = new GroupCommit((until) => this.#holdGroup(until));
  }

  /** Reads within one environment. All statements see the same snapshot. */
  async withScope<T>(
    { environmentId }: Scope,
    work: (session: TransactionSession) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#read(beginInScope(environmentId, 'REPEATABLE READ, READ ONLY'), work, signal);
  }

  /**
   * Writes within one environment. The transaction takes the locks before its first write. Conflicting transactions
   * therefore get their transaction ids in commit order, so the outbox, which is ordered by these ids, has the events
   * of each entity in the right order.
   *
   * If the work requires a lock that is not held, the transaction restarts with the lock. It keeps the locks that it
   * already holds if the missing lock comes later in the lock order and nothing was written yet, so that writers of one
   * entity take turns. The last attempt locks the whole environment, because no entity lock can then be missing.
   *
   * @throws EnvironmentDeleted if the environment does not exist, or its deletion was requested
   */
  async withEntities<T>(
    { environmentId, locks, alsoBegin, deferred }: BeginWrite,
    work: (session: TransactionSession, require: RequireLocks) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    let plan = LockPlan.of(environmentId, locks);
    using group = deferred && new GroupMembership(this.#groups, deferred);
    return await restarting(async (restarts) => {
      let missing: EntityLock[] = [];
      const require = (...locks: readonly EntityLock[]): void => {
        missing.push(...locks.filter((lock) => !plan.covers(lock)));
        if (missing.length > 0) throw new LocksMissing();
      };
      const attempt = async (session: TransactionSession): Promise<T> => {
        try {
          await group?.join(session);
          const result = await work(session, require);
          if (missing.length === 0) return result;
        } catch (error) {
          if (missing.length === 0) throw error;
        }
        // The work may have caught LocksMissing. The transaction must still not commit.
        if (!plan.precedes(missing) || restarts.isLast || !restarts.take()) {
          throw new LocksMissing();
        }
        const renewed = session.renew();
        if (await hasWritten(renewed)) throw new LocksMissing();
        group?.leave();
        await renewed.query(LockPlan.of(environmentId, missing).toSql());
        plan = plan.with(missing);
        missing = [];
        return attempt(renewed);
      };
      const begin = [
        beginInScope(environmentId, 'READ COMMITTED'),
        plan.toSql(),
        // The check comes after the locks, so that the deletion of the environment waits for this transaction.
        'SELECT require_environment()',
        ...(alsoBegin === undefined ? [] : [alsoBegin]),
        ...(group === undefined ? [] : [UNFLUSHED]),
      ].join('; ');
      try {
        return await this.#run(this.#app, { begin, signal, toFailure: toWriterFailure }, attempt);
      } catch (error) {
        // The transaction has ended. If it restarts, also after a conflict, it waits for its locks again.
        group?.leave();
        if (missing.length === 0) throw error;
        plan = plan.with(restarts.isLast ? [{ entity: 'environment' }] : missing);
        return RESTART;
      }
    });
  }

  /** Ends the current group of deferred transactions, so that they are flushed. */
  endGroup(): void {
    this.#groups.end();
  }

  /** Reads and writes the data of all environments and of the installation. */
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
   * Reads a snapshot of all environments. Each statement may scan whole tables for up to an hour. The transaction
   * delays only the vacuum: it takes no entity locks, and readers of the outbox do not wait for it, because a
   * transaction that only reads has no transaction id.
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
   * Runs a single statement on the data of all environments and of the installation. The statement is its own
   * transaction, which takes one round trip instead of three. A comment with the purpose precedes the statement for the
   * activity view. After an abort the statement may still have been executed.
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

  /**
   * Reads the rows of a query on the data of all environments in binary form. Like {@link onPlatform}, the query is its
   * own transaction.
   *
   * @param query SQL without parameters
   */
  async copyFromPlatform(
    purpose: PlatformPurpose,
    query: string,
    signal?: AbortSignal,
  ): Promise<readonly BinaryRow[]> {
    return this.#guarded({ signal, toFailure: toStoreFailure }, (signals) =>
      runCopy(this.#platform, { purpose, ...signals }, query),
    );
  }

  /** Whether the database answers. This method never throws. */
  async ready(signal?: AbortSignal): Promise<boolean> {
    return this.#read('BEGIN READ ONLY', () => Promise.resolve(true), signal).catch(() => false);
  }

  async #holdGroup(until: () => Promise<void>): Promise<void> {
    const begin = beginHolding(this.#activity('group commit'));
    await this.#run(
      this.#platform,
      { begin, signal: undefined, toFailure: toWriterFailure },
      until,
    );
  }

  #activity(purpose: PlatformPurpose | 'group commit'): string {
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

/**
 * The error that makes a door restart the transaction with the missing locks. Doors catch it, so callers never see
 * it.
 */
class LocksMissing extends Error {}

/** Whether the transaction has written. Postgres assigns a transaction id at the first write. */
async function hasWritten(session: TransactionSession): Promise<boolean> {
  const [row] = await session.query<{ written: boolean }>(
    'SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS written',
  );
  return row!.written;
}

/**
 * The statements that begin a transaction within an environment. The id is part of the text, because SET takes no
 * parameters, so the id must be a whole number. READ WRITE is never requested. A standby would refuse it with a
 * different error, and a server that is read-only by default because its disk is full would allow writes again.
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
