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
    resultsKey: text('results_key'),
    /** Whether the results of the job's items have been deleted. */
    isPruned: boolean('is_pruned').notNull().default(false),
    /** The last source image for which an item was created; null once all items exist. */
    listedTo: rowId('listed_to'),
    /** The id of the last record that the work of the only item has dealt with. */
    workedTo: rowId('worked_to'),
    /** The operation that the job carries out. */
    operationId: rowId('operation_id'),
    /** When an item of the job was last claimed. Jobs of an environment take turns in this order. */
    servedAt: instant('served_at'),
    /** No item is claimed before this time. Jobs are paused while a service that they need is unavailable. */
    pausedUntil: instant('paused_until'),
    /** When the job's counters last changed. */
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
    index('jobs_of_unfinished_operations')
      .on(table.environmentId, table.operationId)
      .where(sql`${table.operationId} is not null and ${table.finishedAt} is null`),
    index('jobs_of_type').on(table.environmentId, table.type, table.id),
    index('jobs_of_status').on(table.environmentId, table.status, table.id),
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

/** The items of jobs. An item is one image, or the whole work of a job without images. */
export const jobItems = pgTable(
  'job_items',
  {
    environmentId: environmentId(),
    jobId: rowId('job_id').notNull(),
    index: integer('index').notNull(),
    /** The type is `json`, because `jsonb` refuses some characters that names may contain. */
    input: json('input').$type<ItemInputs[JobType]>().notNull(),
    /**
     * The media key of an uploaded file, which is deleted when the item ends. The file of a failed item is kept as long
     * as the results of the job.
     */
    uploadKey: text('upload_key'),
    state: text('state', { enum: ['pending', 'running', 'done', 'failed'] })
      .notNull()
      .default('pending'),
    /** The number of processes and worker threads that crashed while they worked on this item alone. */
    deaths: smallint('deaths').notNull().default(0),
    /** The result, in the format of the API. */
    result: json('result'),
    error: json('error').$type<ItemFailure>(),
    token: uuid('token'),
    /** The process that runs the item. */
    holder: uuid('holder'),
    leaseUntil: instant('lease_until'),
    /**
     * Until when the item has to run alone in its process, because a process died while the item ran; infinity while
     * the item waits.
     */
    aloneUntil: instant('alone_until'),
    /**
     * Whether no process may run other images while the item runs alone, because inference, which all processes share,
     * crashed during the item.
     */
    isAloneEverywhere: boolean('is_alone_everywhere').notNull().default(false),
    /** How many processes died that ran the item alone at first. Each of them doubles the time that it runs alone. */
    lostTrials: smallint('lost_trials').notNull().default(0),
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
    index('job_items_at_work')
      .on(table.environmentId, table.jobId, table.index)
      .where(sql`${table.state} = 'running'`),
    index('job_items_failed')
      .on(table.environmentId, table.jobId, table.index)
      .where(sql`${table.state} = 'failed'`),
    index('job_items_suspects')
      .on(table.aloneUntil)
      .where(sql`${table.aloneUntil} is not null and ${table.state} in ('pending', 'running')`),
    uniqueIndex('job_items_upload_key')
      .on(table.uploadKey)
      .where(sql`${table.uploadKey} is not null`),
    check('job_items_state', sql`${table.state} in ('pending', 'running', 'done', 'failed')`),
    ...environmentPolicies(table.environmentId),
  ],
);

/** When an item of each environment was last claimed. Environments take turns in this order. */
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
