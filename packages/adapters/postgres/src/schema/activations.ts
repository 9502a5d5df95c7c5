import type { ModelSlot } from '@sightline/core/models/model-slot';
import { check, foreignKey, pgTable, sql, text } from '../drizzle.ts';
import { instant, rowId, transactionId } from './columns.ts';
import { jobs } from './jobs.ts';
import { models } from './models.ts';

/** The last activation of each slot that a caller has asked for, and the last switch. */
export const activations = pgTable(
  'activations',
  {
    slot: text('slot').$type<ModelSlot>().primaryKey(),
    /** What is to become the active model, while its job is unfinished. */
    modelId: rowId('model_id').references(() => models.id),
    jobEnvironmentId: rowId('job_environment_id'),
    jobId: rowId('job_id'),
    /** Since when it is known that the job was cancelled, whose record may go; null: it was not. */
    cancelledAt: instant('cancelled_at'),
    /** Of the last switch: the model that was active before. */
    previousId: rowId('previous_id').references(() => models.id),
    switchedAt: instant('switched_at'),
    /** Of the last switch: transactions before this one had ended. */
    horizon: transactionId('horizon'),
    /** Why the model of the last switch gave way to the one before it; null: it did not. */
    rolledBack: text('rolled_back'),
  },
  (table) => [
    check('activations_slot', sql`${table.slot} in ('face', 'object')`),
    foreignKey({
      name: 'activations_job',
      columns: [table.jobEnvironmentId, table.jobId],
      foreignColumns: [jobs.environmentId, jobs.id],
    }).onDelete('set null'),
  ],
);
