import type {
  ItemFailure,
  ItemInputs,
  JobParams,
  JobStatus,
  JobType,
} from '@sightline/core/jobs/job';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  uniqueIndex,
  uuid,
} from '../drizzle.ts';
import { environmentId, generatedId, instant, rowId } from './columns.ts';
import { environments } from './environments.ts';
import { environmentPolicies } from './policies.ts';

/** Background work. */
export const jobs = pgTable(
  'jobs',
  {
    environmentId: environmentId(),
    id: generatedId(),
    type: text('type').$type<JobType>().notNull(),
    status: text('status').$type<JobStatus>().notNull(),
    total: integer('total').notNull(),
    done: integer('done').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    params: jsonb('params').$type<JobParams[JobType]>().notNull(),
    error: text('error'),
    /** The media key of a file that is the result. */
    resultsKey: text('results_key'),
    /** Whether what was kept of its items is gone. */
    isPruned: boolean('is_pruned').notNull().default(false),
    /** The source image up to which the items were made; null: all were. */
    listedTo: rowId('listed_to'),
    /** When an item was claimed last, by which the jobs of an environment take turns. */
    servedAt: instant('served_at'),
    /** No item is claimed before: what its items need is away. */
    pausedUntil: instant('paused_until'),
    /** When its counters moved last. */
    movedAt: instant('moved_at').notNull().defaultNow(),
    createdAt: instant('created_at').notNull().defaultNow(),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    foreignKey({
      name: 'jobs_environment',
      columns: [table.environmentId],
      foreignColumns: [environments.id],
    }),
    index('jobs_unfinished')
      .on(table.id)
      .where(sql`${table.status} in ('pending', 'running')`),
    index('jobs_failed_reembeds')
      .on(table.environmentId, table.id)
      .where(
        sql`${table.type} = 'reembed' and (${table.status} = 'failed' or ${table.status} = 'done' and ${table.done} = 0 and ${table.failed} > 0)`,
      ),
    index('jobs_to_prune')
      .on(table.finishedAt)
      .where(sql`not ${table.isPruned} and ${table.finishedAt} is not null`),
    uniqueIndex('jobs_results_key')
      .on(table.resultsKey)
      .where(sql`${table.resultsKey} is not null`),
    check('jobs_status', sql`${table.status} in ('pending', 'running', 'done', 'failed')`),
    ...environmentPolicies(table.environmentId),
  ],
);

/** What jobs work through: an image each, or all that a job of one item does. */
export const jobItems = pgTable(
  'job_items',
  {
    environmentId: environmentId(),
    jobId: rowId('job_id').notNull(),
    index: integer('index').notNull(),
    /** `json`: a name may have characters that `jsonb` refuses. */
    input: json('input').$type<ItemInputs[JobType]>().notNull(),
    /** The media key of a file that goes with the end of the item. */
    uploadKey: text('upload_key'),
    state: text('state', { enum: ['pending', 'running', 'done', 'failed'] })
      .notNull()
      .default('pending'),
    /** How many processes or worker threads have died while they worked on it. */
    deaths: smallint('deaths').notNull().default(0),
    /** In the form of the contract. */
    result: json('result'),
    error: json('error').$type<ItemFailure>(),
    /** Of the claim that works on it. */
    token: uuid('token'),
    leaseUntil: instant('lease_until'),
    finishedAt: instant('finished_at'),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.jobId, table.index] }),
    foreignKey({
      name: 'job_items_job',
      columns: [table.environmentId, table.jobId],
      foreignColumns: [jobs.environmentId, jobs.id],
    }).onDelete('cascade'),
    index('job_items_pending')
      .on(table.environmentId, table.jobId, table.index)
      .where(sql`${table.state} = 'pending'`),
    index('job_items_running')
      .on(table.leaseUntil)
      .where(sql`${table.state} = 'running'`),
    uniqueIndex('job_items_upload_key')
      .on(table.uploadKey)
      .where(sql`${table.uploadKey} is not null`),
    check('job_items_state', sql`${table.state} in ('pending', 'running', 'done', 'failed')`),
    ...environmentPolicies(table.environmentId),
  ],
);

/** When an item of an environment was claimed last, by which environments take turns. */
export const jobTurns = pgTable(
  'job_turns',
  {
    environmentId: rowId('environment_id')
      .primaryKey()
      .references(() => environments.id),
    servedAt: instant('served_at').notNull(),
  },
  (table) => environmentPolicies(table.environmentId),
);
