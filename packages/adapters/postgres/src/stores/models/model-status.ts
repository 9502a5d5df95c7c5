import type { SQL } from 'drizzle-orm';
import { MODEL_LIFE, type ModelEvent } from '@sightline/core/models/model-life';
import { sql } from '../../drizzle.ts';
import { models } from '../../schema/models.ts';

/** SQL for a model's status after an event. The status stays the same if the event cannot happen in that status. */
export function statusAfter(event: ModelEvent): SQL {
  const cases = Object.entries(MODEL_LIFE).map(
    ([status, after]) => sql`when ${status} then ${after[event] ?? status}`,
  );
  return sql`case ${models.status} ${sql.join(cases, sql` `)} end`;
}
