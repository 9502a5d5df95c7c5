import type { SQL } from 'drizzle-orm';
import { MODEL_LIFE, type ModelEvent } from '@sightline/core/models/model-life';
import { sql } from '../../drizzle.ts';
import { models } from '../../schema/models.ts';

/** The status of a row after an event; unchanged if the event cannot happen. */
export function statusAfter(event: ModelEvent): SQL {
  const cases = Object.entries(MODEL_LIFE).map(
    ([status, after]) => sql`when ${status} then ${after[event] ?? status}`,
  );
  return sql`case ${models.status} ${sql.join(cases, sql` `)} end`;
}
