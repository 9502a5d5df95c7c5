import { foreignKey, pgTable, primaryKey } from '../drizzle.ts';
import { environmentId, rowId } from './columns.ts';
import { jobs } from './jobs.ts';
import { models } from './models.ts';
import { environmentPolicies } from './policies.ts';

/**
 * Environments in which enrolled faces lack embeddings of a model. Matching with that model is unavailable until the
 * newest job that computes the embeddings ends.
 */
export const embeddingBacklogs = pgTable(
  'embedding_backlogs',
  {
    environmentId: environmentId(),
    modelId: rowId('model_id')
      .notNull()
      .references(() => models.id),
    jobId: rowId('job_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.environmentId, table.modelId] }),
    foreignKey({
      name: 'embedding_backlogs_job',
      columns: [table.environmentId, table.jobId],
      foreignColumns: [jobs.environmentId, jobs.id],
    }).onDelete('cascade'),
    ...environmentPolicies(table.environmentId),
  ],
);
