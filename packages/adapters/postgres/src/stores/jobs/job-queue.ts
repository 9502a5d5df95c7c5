import { randomUUID } from 'node:crypto';
import {
  COUNTED_BY_WORK,
  RESULTS_KEPT_DAYS,
  type JobProgress,
  type JobType,
} from '@sightline/core/jobs/job';
import { ClaimLost } from '@sightline/core/jobs/job-errors';
import type { ClaimedItem, ItemClaim } from '@sightline/core/jobs/job-item';
import type { ClaimState, JobQueue, JobsState, JobTypeState } from '@sightline/core/jobs/job-queue';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { CLAIM, type ClaimedRow, LEASE, MAY_WAIT, TURN_LOCK } from './claim-statements.ts';
import { afterEvent, type ClaimEvent, type ClaimView, FIRST_CLAIM, viewAt } from './claim-view.ts';
import {
  CANCELLED,
  CANCELLED_JOB,
  endItem,
  FORGET_DEATHS,
  IS_HELD,
  LOCKED_JOB_AHEAD,
  valuesOf,
} from './job-rows.ts';
import { CLAIM_SUSPECT, FIND_TRIAL, RECOVER, type TrialRow } from './suspect-statements.ts';
import { listReembeds } from '../reembedding/reembed-jobs.ts';

/** The maximum number of rows that one statement deletes. */
const BATCH = 10_000;

/** The maximum number of listings that one claim makes after it found no item. */
const MAX_LISTINGS = 50;

/** Whether the crash $5 is one of inference. */
const IS_INFERENCE = `$5 IN ('inference', 'inference_alone')`;

type ClaimValues = readonly [
  types: readonly JobType[],
  token: string,
  holder: string,
  except: readonly number[],
];

export type JobDoors = Pick<Doors, 'onPlatform' | 'withPlatform'>;

export class PostgresJobQueue implements JobQueue {
  readonly #doors: JobDoors;
  /** Identifies the running process, whose items end together if it dies. */
  readonly #holder = randomUUID();
  #view = FIRST_CLAIM;

  constructor(doors: JobDoors) {
    this.#doors = doors;
  }

  async claim(
    types: readonly JobType[],
    except: readonly number[] = [],
  ): Promise<ClaimedItem | null> {
    const mayList = types.includes('reembed');
    const isDue = mayList && this.#viewNow().listing.is === 'due';
    let mayFindMore = isDue ? await this.#list() : mayList;
    let item = await this.#claimItem(types, except);
    // A listing may end a job that needs no items, and many such jobs may precede one that has items.
    for (let listings = 0; item === null && mayFindMore && listings < MAX_LISTINGS; listings++) {
      mayFindMore = await this.#list();
      if (mayFindMore) item = await this.#claimItem(types, except);
    }
    return item;
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

  async #claimItem(
    types: readonly JobType[],
    except: readonly number[],
  ): Promise<ClaimedItem | null> {
    await this.#releaseUnanswered();
    if (this.#viewNow().recovery.is === 'due') await this.#recover();
    const token = randomUUID();
    const values: ClaimValues = [types, token, this.#holder, except];
    const rows = this.#view.areSuspects
      ? this.#runAlone((session) => this.#claimBesideSuspects(session, values))
      : types.some((type) => MAY_WAIT.includes(type))
        ? this.#runAlone((session) => claimIn(session, values))
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
   * Before, the process lets its images end. If the suspect crashed inference, which all processes share, they all let
   * their images end, and begin none beside it. Archives, downloads and activations may take hours, so they go on; a death
   * beside them counts for none of them.
   */
  async #claimBesideSuspects(
    session: TransactionSession,
    [types, token, holder, except]: ClaimValues,
  ): Promise<readonly ClaimedRow[]> {
    const [trial] = await session.query<TrialRow>(FIND_TRIAL, [types, this.#holder]);
    const { isRunning, isHere, isEverywhere, waits, waitsForAll, hasImages } = trial!;
    if (isHere) return [];
    if (!isRunning && waits) {
      if (!hasImages) return session.query<ClaimedRow>(CLAIM_SUSPECT, [types, token, holder]);
      this.#note({ type: waitsForAll ? 'draining_images' : 'draining' });
    }
    const { is } = this.#viewNow().trial;
    if (is === 'draining') return [];
    const isImageless = isEverywhere || is === 'draining_images';
    const mayBegin = isImageless ? types.filter((type) => COUNTED_BY_WORK.has(type)) : types;
    return claimIn(session, [mayBegin, token, holder, except]);
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
   * A process that takes over an item starts from the beginning. The job's counters stay at the values of the previous
   * process until the new process exceeds them.
   */
  async report(claim: ItemClaim, { total, done, failed }: JobProgress): Promise<ClaimState> {
    const rows = await this.#query<{ error: string | null }>(
      `WITH job AS MATERIALIZED (${LOCKED_JOB_AHEAD}
       ), held AS (
         UPDATE job_items i SET lease_until = now() + ${LEASE}, ${FORGET_DEATHS}
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
             deaths = i.deaths + ($5 IN ('thread', 'inference_alone'))::int,
             lost_trials = i.lost_trials + (${IS_INFERENCE} AND i.alone_until IS NOT NULL)::int,
             is_alone_everywhere = ${IS_INFERENCE}
               OR i.is_alone_everywhere AND i.alone_until > now(),
             alone_until = CASE WHEN ${IS_INFERENCE} OR i.alone_until > now()
               THEN 'infinity'::timestamptz END
           WHERE ${IS_HELD} RETURNING i.environment_id, i.job_id)
         UPDATE jobs j SET paused_until = now() + make_interval(secs => $6::float8)
         FROM freed WHERE j.environment_id = freed.environment_id AND j.id = freed.job_id
           AND $6::float8 > 0`,
        [...valuesOf(claim), crash ?? 'none', pauseMs / 1000],
      );
    };
    await this.#doors.withPlatform('jobs', work).catch(this.#noteOutage);
    if (crash === 'inference' || crash === 'inference_alone') this.#note({ type: 'crashed' });
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

/** Claims an item in a transaction. */
function claimIn(session: TransactionSession, values: ClaimValues): Promise<readonly ClaimedRow[]> {
  return session.prepared<ClaimedRow>('claim-item-alone', CLAIM, values);
}

function stateOf(rows: readonly { readonly error: string | null }[]): ClaimState {
  const [row] = rows;
  if (row === undefined) return 'lost';
  return row.error === CANCELLED_JOB ? 'cancelled' : 'held';
}

function unlessLost(error: unknown): void {
  if (!(error instanceof ClaimLost)) throw error;
}
