import type { JobParams, JobStatus, JobType } from '@sightline/core/jobs/job';
import {
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
  uuid,
} from '../drizzle.ts';
import { bytes, environmentId, generatedId, instant, rowId } from './columns.ts';
import { environments } from './environments.ts';
import { environmentPolicies } from './policies.ts';

/** Retryable requests and their responses. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    environmentId: environmentId(),
    key: text('key').notNull(),
    fingerprint: bytes('fingerprint').notNull(),
    /** Of the claim that holds the key. */
    token: uuid('token').notNull(),
    leaseUntil: instant('lease_until').notNull(),
    /** Null while the request runs. */
    status: smallint('status'),
    /** `json` keeps the order of members: a repeated response is the same text. */
    body: json('body'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.key] }),
    index('idempotency_keys_created').on(table.createdAt),
    ...environmentPolicies(table.environmentId),
  ],
);

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
    resultsKey: text('results_key'),
    /** Of the claim that runs the job. */
    token: uuid('token'),
    leaseUntil: instant('lease_until'),
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
    check('jobs_status', sql`${table.status} in ('pending', 'running', 'done', 'failed')`),
    ...environmentPolicies(table.environmentId),
  ],
);

/** Which key did what. */
export const audit = pgTable(
  'audit',
  {
    environmentId: environmentId(),
    id: generatedId(),
    at: instant('at').notNull().defaultNow(),
    keyId: rowId('key_id'),
    action: text('action').notNull(),
    entityType: text('entity_type').notNull(),
    entityId: rowId('entity_id'),
    details: jsonb('details').$type<Readonly<Record<string, unknown>>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.id] }),
    index('audit_at').on(table.environmentId, table.at, table.id),
    ...environmentPolicies(table.environmentId),
  ],
);
