import type { ModelSlot } from '@sightline/core/models/model-slot';
import { check, foreignKey, pgTable, sql, text } from '../drizzle.ts';
import { instant, rowId, transactionId } from './columns.ts';
import { jobs } from './jobs.ts';
import { models } from './models.ts';

/** The last requested activation of each slot, and the slot's last switch. */
export const activations = pgTable(
  'activations',
  {
    slot: text('slot').$type<ModelSlot>().primaryKey(),
    /** The requested model. It becomes active if the job succeeds. */
    modelId: rowId('model_id').references(() => models.id),
    jobEnvironmentId: rowId('job_environment_id'),
    jobId: rowId('job_id'),
    /**
     * When the job's cancellation was noticed; null if it was not cancelled. The job's record may be deleted later.
     */
    cancelledAt: instant('cancelled_at'),
    /** The model that was active before the last switch. */
    previousId: rowId('previous_id').references(() => models.id),
    switchedAt: instant('switched_at'),
    /** All transactions before this one had ended when the last switch happened. */
    horizon: transactionId('horizon'),
    /** The reason of the last switch if it was a rollback; otherwise null. */
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
