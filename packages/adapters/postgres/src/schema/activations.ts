import type { ModelSlot } from '@sightline/core/models/model-slot';
import { check, foreignKey, pgTable, sql, text } from '../drizzle.ts';
import { instant, rowId, transactionId } from './columns.ts';
import { jobs } from './jobs.ts';
import { models } from './models.ts';

/** The last requested activation of each slot, and the last switch of the slot's active model. */
export const activations = pgTable(
  'activations',
  {
    slot: text('slot').$type<ModelSlot>().primaryKey(),
    /** The requested model, which becomes active if the job succeeds. */
    modelId: rowId('model_id').references(() => models.id),
    jobEnvironmentId: rowId('job_environment_id'),
    jobId: rowId('job_id'),
    /**
     * When the cancellation of the job was noticed; null if the job was not cancelled. This column is needed, because
     * the job's row may be deleted later.
     */
    cancelledAt: instant('cancelled_at'),
    /** The model that was active before the last switch. */
    previousId: rowId('previous_id').references(() => models.id),
    switchedAt: instant('switched_at'),
    /**
     * The lowest transaction id that may still have been open at the last switch. All transactions below it had ended.
     */
    horizon: transactionId('horizon'),
    /** Why the last switch rolled back to an earlier model; null if it was no rollback. */
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
