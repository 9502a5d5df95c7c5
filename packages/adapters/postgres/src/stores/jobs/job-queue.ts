import { randomUUID } from 'node:crypto';
import {
  COUNTED_BY_WORK,
  RESULTS_KEPT_DAYS,
  type Job,
  type JobProgress,
  type JobType,
} from '@sightline/core/jobs/job';
import { ClaimLost } from '@sightline/core/jobs/job-errors';
import type { ClaimedItem, ItemClaim } from '@sightline/core/jobs/job-item';
import type { ClaimState, JobQueue, JobsState, JobTypeState } from '@sightline/core/jobs/job-queue';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { afterEvent, type ClaimEvent, type ClaimView, FIRST_CLAIM, viewAt } from './claim-view.ts';
import {
  CANCELLED,
  CANCELLED_JOB,
  endItem,
  IS_COUNTED_BY_WORK,
  IS_HELD,
  JOB_COLUMNS,
  valuesOf,
} from './job-rows.ts';
import { listReembeds } from '../reembedding/reembed-jobs.ts';

/**
 * How long a claim lasts unless it is renewed. Processes claim items every second, so an item of a crashed process
 * continues within 30 s.
 */
const LEASE = `interval '25 seconds'`;
/** The maximum number of rows that one statement deletes. */
const BATCH = 10_000;

/**
 * The advisory lock under which items that may have to wait are claimed. Without it, two processes that claim at the
 * same time would not see each other's item. The number is arbitrary.
 */
const TURN_LOCK = 7_446_119;
const MAY_WAIT: readonly JobType[] = ['export', 'import', 'model_download'];

/**
 * Whether a job `j` must wait for a running item. At most one archive job per environment runs at a time, so that
 * archives do not take all slots. At most one download per model runs, because two would write the same file.
 */
const HAS_TO_WAIT = `CASE
  WHEN j.type IN ('export', 'import') THEN EXISTS (
    SELECT FROM at_work w
    WHERE w.type IN ('export', 'import') AND w.environment_id = j.environment_id)
  WHEN j.type = 'model_download' THEN EXISTS (
    SELECT FROM at_work w WHERE w.type = j.type AND w.params = j.params)
  ELSE false END`;

/** The jobs that have to wait may depend on these running items. */
const AT_WORK = `at_work AS MATERIALIZED (
    SELECT j.environment_id, j.type, j.params
    FROM job_items i JOIN jobs j ON j.environment_id = i.environment_id AND j.id = i.job_id
    WHERE i.state = 'running' AND j.type IN (${MAY_WAIT.map((type) => `'${type}'`).join()})
  )`;

/** Whether items of a job `j` of the types $1 may begin. */
const MAY_BEGIN = `j.status IN ('pending', 'running') AND j.type = any($1::text[])
      AND (j.paused_until IS NULL OR j.paused_until < now()) AND NOT ${HAS_TO_WAIT}`;

/**
 * Claims the item that the last of these common table expressions, `found`, selects.
 *
 * @param found may use the types $1; $2 is the token and $3 the holder
 * @param aloneUntil until when the item runs alone, as SQL
 */
function claimOf(found: string, aloneUntil: string): string {
  return `
  WITH ${AT_WORK}, ${found}, claimed AS (
    UPDATE job_items i SET state = 'running', token = $2, holder = $3,
      lease_until = now() + ${LEASE}, alone_until = ${aloneUntil}
    FROM found n
    WHERE i.environment_id = n.environment_id AND i.job_id = n.job_id AND i.index = n.index
    RETURNING i.environment_id, i.job_id, i.index, i.input, i.upload_key, i.deaths
  ), turn AS (
    INSERT INTO job_turns (environment_id, served_at)
    SELECT environment_id, clock_timestamp() FROM claimed
    ON CONFLICT (environment_id) DO UPDATE SET served_at = excluded.served_at
  ), begun AS (
    UPDATE jobs j SET status = 'running', served_at = clock_timestamp(),
      started_at = coalesce(j.started_at, now())
    WHERE (j.environment_id, j.id) IN (
      SELECT l.environment_id, l.id FROM jobs l
      JOIN claimed c ON c.environment_id = l.environment_id AND c.job_id = l.id
      WHERE l.status IN ('pending', 'running') FOR NO KEY UPDATE OF l SKIP LOCKED)
  )
  SELECT ${JOB_COLUMNS}, c.index, c.input, c.upload_key AS "uploadKey", c.deaths
  FROM claimed c JOIN jobs j ON j.environment_id = c.environment_id AND j.id = c.job_id`;
}

/**
 * Claims one item. Items of jobs that re-embed only enrolled faces come first. Otherwise the environment that was served
 * longest ago has its turn, and in it the job that was served longest ago. Rows that other transactions have locked are
 * skipped.
 */
const CLAIM = claimOf(
  `turns AS (
    SELECT j.environment_id, j.id
    FROM jobs j LEFT JOIN job_turns t ON t.environment_id = j.environment_id
    WHERE ${MAY_BEGIN}
    ORDER BY (j.type = 'reembed' AND j.params ->> 'faces' <> 'all') DESC,
      t.served_at NULLS FIRST, j.served_at NULLS FIRST, j.id
  ), found AS MATERIALIZED (
    SELECT i.environment_id, i.job_id, i.index
    FROM turns CROSS JOIN LATERAL (
      SELECT i.environment_id, i.job_id, i.index FROM job_items i
      WHERE i.environment_id = turns.environment_id AND i.job_id = turns.id
        AND i.state = 'pending' AND i.alone_until IS NULL
      ORDER BY i.index LIMIT 1 FOR UPDATE SKIP LOCKED) AS i
    LIMIT 1
  )`,
  'NULL',
);

/**
 * How long an item `i` that may crash its process runs alone. After that, other items may begin beside it, and a death
 * counts for none of them. So each loss after a trial doubles the next one, until the item is alone when it crashes.
 */
const TRIAL = `interval '5 minutes' * 2 ^ least(i.lost_trials, 10)`;
/** How long an item of a live process may go without a heartbeat before other processes take it over. */
const ABANDONED = `interval '2 minutes'`;

/**
 * The waiting suspects that may begin: items that were running when their process or inference died. Those that crashed fewer
 * processes come first, so that innocent ones end, and single images come before work that takes hours.
 */
const WAITING_SUSPECTS = `
    SELECT i.environment_id, i.job_id, i.index, i.is_alone_everywhere
    FROM job_items i JOIN jobs j ON j.environment_id = i.environment_id AND j.id = i.job_id
    WHERE i.state = 'pending' AND i.alone_until IS NOT NULL AND ${MAY_BEGIN}
    ORDER BY i.deaths, ${IS_COUNTED_BY_WORK}, i.environment_id, i.job_id, i.index LIMIT 1`;

const CLAIM_SUSPECT = claimOf(
  `found AS MATERIALIZED (${WAITING_SUSPECTS} FOR UPDATE OF i SKIP LOCKED)`,
  `now() + ${TRIAL}`,
);

interface TrialRow {
  /** Whether a process runs a suspect alone. */
  readonly isRunning: boolean;
  /** Whether this process must begin nothing beside it. */
  readonly concernsThis: boolean;
  /** Whether a suspect of the types waits. */
  readonly waits: boolean;
  /** Whether images run beside which the waiting suspect would not be alone. They end soon. */
  readonly hasImages: boolean;
}

/** The types are $1, and the holder $2. */
const FIND_TRIAL = `
  WITH ${AT_WORK}, trial AS (
    SELECT holder, is_alone_everywhere FROM job_items
    WHERE state = 'running' AND alone_until > now() LIMIT 1
  ), waiting AS (${WAITING_SUSPECTS})
  SELECT EXISTS (SELECT FROM trial) AS "isRunning",
    EXISTS (SELECT FROM trial WHERE holder = $2 OR is_alone_everywhere) AS "concernsThis",
    EXISTS (SELECT FROM waiting) AS waits,
    EXISTS (
      SELECT FROM job_items i JOIN jobs j ON j.environment_id = i.environment_id AND j.id = i.job_id
      WHERE i.state = 'running' AND NOT ${IS_COUNTED_BY_WORK}
        AND (i.holder = $2 OR (SELECT is_alone_everywhere FROM waiting))) AS "hasImages"`;

/**
 * Returns the items of dead processes to the queue, as suspects. A process is dead once the leases of all its items have
 * expired. If it ran a single item, the item probably crashed it; if it ran several, any of them did. Items that a live
 * process abandoned, for example because it could not write their end, return as they were.
 */
const RECOVER = `
  WITH dead AS MATERIALIZED (
    SELECT holder, count(*) AS items FROM job_items WHERE state = 'running' AND $1
    GROUP BY holder HAVING max(lease_until) < now()
  ), lost AS MATERIALIZED (
    SELECT i.environment_id, i.job_id, i.index, dead.items
    FROM job_items i LEFT JOIN dead ON dead.holder IS NOT DISTINCT FROM i.holder
    WHERE $1 AND i.state = 'running' AND i.lease_until < now()
      AND (dead.items IS NOT NULL OR i.lease_until < now() - ${ABANDONED})
    FOR UPDATE OF i SKIP LOCKED
  ), recovered AS (
    UPDATE job_items i SET state = 'pending', token = NULL, holder = NULL, lease_until = NULL,
      alone_until = CASE WHEN lost.items IS NOT NULL OR i.alone_until > now()
        THEN 'infinity'::timestamptz END,
      lost_trials = i.lost_trials + (lost.items IS NOT NULL AND i.alone_until IS NOT NULL)::int,
      deaths = i.deaths + (lost.items IS NOT DISTINCT FROM 1)::int
    FROM lost WHERE i.environment_id = lost.environment_id AND i.job_id = lost.job_id
      AND i.index = lost.index
    RETURNING i.index
  )
  SELECT EXISTS (SELECT FROM recovered) OR EXISTS (
    SELECT FROM job_items WHERE state IN ('pending', 'running') AND alone_until > now()) AS "areSuspects"`;

type ClaimedRow = Job &
  Pick<ClaimedItem, 'input' | 'uploadKey' | 'deaths'> &
  Pick<ItemClaim, 'index'>;

export type JobDoors = Pick<Doors, 'onPlatform' | 'withPlatform'>;

export class PostgresJobQueue implements JobQueue {
  readonly #doors: JobDoors;
  /** Identifies the running process, whose items end together if it dies. */
  readonly #holder = randomUUID();
  #view = FIRST_CLAIM;

  constructor(doors: JobDoors) {
    this.#doors = doors;
  }

  async claim(types: readonly JobType[]): Promise<ClaimedItem | null> {
    const mayList = types.includes('reembed');
    const isDue = mayList && this.#viewNow().listing.is === 'due';
    if (isDue) await this.#list();
    const item = await this.#claimItem(types);
    if (item !== null || !mayList || isDue) return item;
    return (await this.#list()) ? this.#claimItem(types) : null;
  }

  /** Creates the next items of re-embeddings; returns false if no items can be created. */
  async #list(): Promise<boolean> {
    const found = await listReembeds(this.#doors);
    this.#note({ type: 'listed', found });
    return found;
  }

  #note(event: ClaimEvent): void {
    this.#view = afterEvent(this.#view, event, performance.now());
  }

  #viewNow(): ClaimView {
    return viewAt(this.#view, performance.now());
  }

  async #claimItem(types: readonly JobType[]): Promise<ClaimedItem | null> {
    await this.#releaseUnanswered();
    if (this.#viewNow().recovery.is === 'due') await this.#recover();
    const token = randomUUID();
    const values = [types, token, this.#holder];
    const claim = (session: TransactionSession) =>
      session.prepared<ClaimedRow>('claim-item-alone', CLAIM, values);
    const rows = this.#view.areSuspects
      ? this.#runAlone((session) => this.#claimBesideSuspects(session, values, claim))
      : types.some((type) => MAY_WAIT.includes(type))
        ? this.#runAlone(claim)
        : // Outside a transaction the text of a statement begins with its purpose, so it has a name of its own.
          this.#run((session) => session.prepared<ClaimedRow>('claim-item', CLAIM, values));
    const [row] = await rows.catch((error: unknown) => {
      this.#note({ type: 'unanswered', token });
      throw error;
    });
    if (row === undefined) return null;
    const { index, input, uploadKey, deaths, ...job } = row;
    const held = { environmentId: job.environmentId, jobId: job.id, index, token };
    // The type of the row determines the type of its input, which the compiler cannot derive.
    return {
      claim: held,
      job: { ...job, status: 'running' },
      input,
      uploadKey,
      deaths,
    } as ClaimedItem;
  }

  /** Finds the items of dead processes, and whether items wait that have to run alone. */
  async #recover(): Promise<void> {
    // The database may not have answered the heartbeats of live processes.
    const countsDeaths = this.#viewNow().database.is === 'steady';
    const [row] = await this.#query<{ areSuspects: boolean }>(RECOVER, [countsDeaths]);
    this.#note({ type: 'recovered', areSuspects: row!.areSuspects });
  }

  /**
   * Claims an item while there are suspects. One suspect at a time runs, and no item begins beside it in its process.
   * Before, the process lets its images end, and all processes do so if the suspect crashed inference. Archives, downloads
   * and activations may take hours, so they go on; a death beside them counts for none of them.
   */
  async #claimBesideSuspects(
    session: TransactionSession,
    values: readonly unknown[],
    claim: (session: TransactionSession) => Promise<readonly ClaimedRow[]>,
  ): Promise<readonly ClaimedRow[]> {
    const [trial] = await session.query<TrialRow>(FIND_TRIAL, [values[0], this.#holder]);
    const { isRunning, concernsThis, waits, hasImages } = trial!;
    if (concernsThis) return [];
    if (!isRunning && waits) {
      if (!hasImages) return session.query<ClaimedRow>(CLAIM_SUSPECT, values);
      this.#note({ type: 'draining' });
    }
    return this.#viewNow().trial.is === 'draining' ? [] : claim(session);
  }

  /** Releases items whose claim got no answer, because no process works on them. */
  async #releaseUnanswered(): Promise<void> {
    const tokens = this.#viewNow().unanswered.map(({ token }) => token);
    if (tokens.length === 0) return;
    const claims = await this.#query<ItemClaim>(
      `SELECT environment_id AS "environmentId", job_id AS "jobId", index, token FROM job_items
       WHERE state = 'running' AND token = any($1::uuid[])`,
      [tokens],
    );
    for (const claim of claims) await this.release(claim, { pauseMs: 0 });
    this.#note({ type: 'released', tokens: claims.map(({ token }) => token) });
  }

  async renew(claim: ItemClaim): Promise<ClaimState> {
    const rows = await this.#query<{ error: string | null }>(
      `UPDATE job_items i SET lease_until = now() + ${LEASE}
       FROM jobs j WHERE ${IS_HELD} AND j.environment_id = i.environment_id AND j.id = i.job_id
       RETURNING j.error`,
      valuesOf(claim),
    );
    return stateOf(rows);
  }

  /**
   * If a job gets further than ever before, its item does not kill processes: its deaths count from 0 again, and other
   * items may begin beside it.
   * A process that takes over an item starts from the beginning. The job's counters stay at the values of the previous
   * process until the new process exceeds them.
   */
  async report(claim: ItemClaim, { total, done, failed }: JobProgress): Promise<ClaimState> {
    const rows = await this.#query<{ error: string | null }>(
      `WITH job AS MATERIALIZED (
         SELECT environment_id, id, $6::integer + $7::integer - done - failed AS ahead
         FROM jobs WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE
       ), held AS (
         UPDATE job_items i SET lease_until = now() + ${LEASE},
           deaths = CASE WHEN job.ahead > 0 THEN 0 ELSE i.deaths END,
           lost_trials = CASE WHEN job.ahead > 0 THEN 0 ELSE i.lost_trials END,
           alone_until = CASE WHEN job.ahead > 0 THEN NULL ELSE i.alone_until END
         FROM job WHERE ${IS_HELD} AND i.environment_id = job.environment_id AND i.job_id = job.id
         RETURNING i.environment_id, i.job_id, job.ahead
       )
       UPDATE jobs j SET moved_at = now(),
         total = CASE WHEN held.ahead >= 0 THEN $5 ELSE j.total END,
         done = CASE WHEN held.ahead >= 0 THEN $6 ELSE j.done END,
         failed = CASE WHEN held.ahead >= 0 THEN $7 ELSE j.failed END
       FROM held WHERE j.environment_id = held.environment_id AND j.id = held.job_id
       RETURNING j.error`,
      [...valuesOf(claim), total, done, failed],
    );
    return stateOf(rows);
  }

  async release(
    claim: ItemClaim,
    { pauseMs, crash = null }: Parameters<JobQueue['release']>[1],
  ): Promise<void> {
    const { environmentId, jobId } = claim;
    const work = async (session: TransactionSession): Promise<void> => {
      const [job] = await session.query<{ error: string | null }>(
        `SELECT error FROM jobs WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE`,
        [environmentId, jobId],
      );
      if (job?.error === CANCELLED_JOB) {
        await endItem(session, claim, { error: CANCELLED }).catch(unlessLost);
        return;
      }
      await session.query(
        `WITH freed AS (
           UPDATE job_items i SET state = 'pending', token = NULL, holder = NULL,
             lease_until = NULL,
             deaths = i.deaths + CASE $5 WHEN 'thread' THEN 1
               WHEN 'inference' THEN (i.is_alone_everywhere AND i.alone_until > now())::int ELSE 0 END,
             lost_trials = i.lost_trials + ($5 = 'inference' AND i.alone_until IS NOT NULL)::int,
             is_alone_everywhere = i.is_alone_everywhere OR $5 = 'inference',
             alone_until = CASE WHEN $5 = 'inference' OR i.alone_until > now()
               THEN 'infinity'::timestamptz END
           WHERE ${IS_HELD} RETURNING i.environment_id, i.job_id)
         UPDATE jobs j SET paused_until = now() + make_interval(secs => $6::float8)
         FROM freed WHERE j.environment_id = freed.environment_id AND j.id = freed.job_id
           AND $6::float8 > 0`,
        [...valuesOf(claim), crash ?? 'none', pauseMs / 1000],
      );
    };
    await this.#doors.withPlatform('jobs', work).catch(this.#noteOutage);
    if (crash === 'inference') this.#note({ type: 'crashed' });
  }

  async state(signal?: AbortSignal): Promise<JobsState> {
    const unfinished = await this.#doors.onPlatform(
      'jobs',
      (session) => session.query<JobTypeState>(STATE, [[...COUNTED_BY_WORK]]),
      signal,
    );
    return { unfinished };
  }

  async pruneResults(signal?: AbortSignal): Promise<readonly string[]> {
    const files: string[] = [];
    for (;;) {
      const rows = await this.#doors.onPlatform(
        'jobs',
        (session) => session.query<{ keys: readonly string[] }>(PRUNE, []),
        signal,
      );
      files.push(...rows.flatMap(({ keys }) => keys));
      if (rows.length === 0) return files;
    }
  }

  async #query<Row>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#run((session) => session.query<Row>(text, values));
  }

  /** Runs a claim while no other process runs one. The statement sees the claims of all processes before it. */
  #runAlone<Row>(
    statement: (session: TransactionSession) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    const work = async (session: TransactionSession): Promise<readonly Row[]> => {
      await session.query('SELECT pg_advisory_xact_lock($1)', [TURN_LOCK]);
      return statement(session);
    };
    return this.#doors.withPlatform('jobs', work).catch(this.#noteOutage);
  }

  #run<Row>(
    statement: (session: TransactionSession) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> {
    return this.#doors.onPlatform('jobs', statement).catch(this.#noteOutage);
  }

  readonly #noteOutage = (error: unknown): never => {
    if (error instanceof StoreUnavailable) this.#note({ type: 'outage' });
    throw error;
  };
}

/**
 * The number and progress of unfinished jobs, and the time since the last progress, by type. A paused job without
 * progress since the pause counts as waiting. Jobs of an environment that have no running item take turns, so
 * progress of one of them counts as progress of all of them.
 */
const STATE = `
  WITH unfinished AS (
    SELECT environment_id, id, type, total, done, failed, paused_until, moved_at,
      max(greatest(moved_at, served_at)) OVER (
        PARTITION BY environment_id, type = any($1::text[])) AS turn_at,
      EXISTS (
        SELECT FROM job_items i WHERE i.environment_id = j.environment_id AND i.job_id = j.id
          AND i.state = 'running') AS is_at_work
    FROM jobs j WHERE status IN ('pending', 'running')
  )
  SELECT type, count(*) AS jobs, sum(total) AS total, sum(done) AS done, sum(failed) AS failed,
    coalesce(max(still) FILTER (WHERE NOT waits), 0) AS "stillSeconds",
    coalesce(max(still) FILTER (WHERE waits), 0) AS "waitingSeconds"
  FROM unfinished CROSS JOIN LATERAL (
    SELECT coalesce(paused_until > moved_at, false) AS waits) AS given CROSS JOIN LATERAL (
    SELECT extract(epoch FROM now() - CASE WHEN waits OR is_at_work THEN moved_at ELSE turn_at END
      )::float8 AS still) AS movement
  GROUP BY type`;

/**
 * Removes items of the oldest job whose results have expired, and marks the job as pruned if no items are left. Items
 * of `reembed` have no results, so they expire immediately.
 */
const PRUNE = `
  WITH job AS MATERIALIZED (
    SELECT environment_id, id, results_key FROM jobs
    WHERE NOT is_pruned AND finished_at IS NOT NULL AND (
      finished_at < now() - interval '${RESULTS_KEPT_DAYS} days' OR type = 'reembed')
    ORDER BY finished_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
  ), deleted AS (
    DELETE FROM job_items i USING job
    WHERE i.environment_id = job.environment_id AND i.job_id = job.id AND i.index IN (
      SELECT o.index FROM job_items o
      WHERE o.environment_id = job.environment_id AND o.job_id = job.id LIMIT ${BATCH})
    RETURNING i.upload_key
  ), counted AS (SELECT count(*) AS removed, array_agg(upload_key) AS uploads FROM deleted)
  UPDATE jobs j SET is_pruned = removed < ${BATCH}, results_key = NULL
  FROM job, counted WHERE j.environment_id = job.environment_id AND j.id = job.id
  RETURNING array_remove(uploads || old.results_key, NULL) AS keys`;

function stateOf(rows: readonly { readonly error: string | null }[]): ClaimState {
  const [row] = rows;
  if (row === undefined) return 'lost';
  return row.error === CANCELLED_JOB ? 'cancelled' : 'held';
}

function unlessLost(error: unknown): void {
  if (!(error instanceof ClaimLost)) throw error;
}
