import type { SourceFilter } from '@sightline/core/sources/source-store';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { and, sql } from '../../drizzle.ts';
import { sourceImages } from '../../schema/source-images.ts';
import { anyOf } from '../database/any-of.ts';
import { conditionOf } from '../sources/source-filter.ts';

/** Adds an item to a job for each image of a filter, in one statement, because there may be a million images. */
export async function insertItemsOf(
  { db }: TransactionSession,
  jobId: number,
  filter: SourceFilter,
): Promise<void> {
  const { traits, condition } = await conditionOf(db, filter, 'all');
  const matches = and(anyOf(sourceImages.traits, traits), condition);
  await db.execute(sql`
    with added as (
      insert into job_items (environment_id, job_id, index, input)
      select environment_id, ${jobId}, row_number() over (order by id) - 1,
        json_build_object('sourceImageId', id)
      from ${sourceImages} where ${matches} returning 1
    )
    update jobs set total = (select count(*) from added) where id = ${jobId}`);
}
