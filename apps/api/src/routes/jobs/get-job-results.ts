import { getJobResultsContract } from '@sightline/contracts/jobs/get-job-results-contract';
import { type Caller, includesRight } from '@sightline/core/access/caller';
import {
  COUNTED_BY_WORK,
  type Job,
  type PostedImageInput,
  type RunParams,
  type StoredImageInput,
} from '@sightline/core/jobs/job';
import type { EndedItem } from '@sightline/core/jobs/job-item';
import { JobUnfinished } from '@sightline/core/jobs/job-errors';
import { NotFound } from '@sightline/core/store/not-found';
import { presentBulkFailure } from '@sightline/presentation/present-bulk-result';
import { presentReprocessFailure } from '@sightline/presentation/present-reprocess-result';
import type { ApiContext } from '../../context/api-context.ts';
import { Forbidden } from '@sightline/core/access/access-errors';
import { defineRoute } from '../../http/define-route.ts';
import { ResultStream } from '../../http/result-stream.ts';
import { answerFile } from '../../media/answer-media.ts';
import { presentJob } from './present-job.ts';
import { requireJob } from './require-job.ts';

/** The number of items per read. The result of an image has a few kB. */
const PAGE = 20;

export const getJobResultsRoute = defineRoute(getJobResultsContract, {
  async handler(context, request) {
    const { path, caller, scope, headers, signal } = request;
    const job = await requireJob(context, { scope, id: path.id }, signal);
    requireRight(job, caller);
    if (job.finishedAt === null) throw new JobUnfinished();
    const missing = new NotFound('result of job', job.id);
    if (presentJob(job).results_url === null) throw missing;
    if (job.type === 'export') {
      const readKey = async () =>
        (await requireJob(context, { scope, id: job.id }, signal)).resultsKey ?? undefined;
      return answerFile(context, { key: job.resultsKey!, readKey, missing, headers, signal });
    }
    const pages = itemsOf(context, job, signal);
    const first = (await pages.next()).value ?? [];
    // If the items are missing, the job was deleted after it was read.
    if (first.length === 0 && hasItems(job)) throw missing;
    if (COUNTED_BY_WORK.has(job.type)) return { status: 200, body: first[0]!.result as never };
    const { types: type } = job.params as RunParams;
    return {
      status: 200,
      body: new ResultStream({ total: job.total, type }, presented(job, first, pages)),
    };
  },
});

/** The result of an export needs full rights, because starting the export needs them, too. */
function requireRight({ type }: Job, { right }: Caller): void {
  if (type === 'export' && !includesRight(right, 'full')) {
    throw new Forbidden('The result of an export needs full rights.');
  }
}

/** Whether the job has items. For some types of jobs, `total` does not count items and may be 0 although they have one. */
function hasItems({ type, total }: Job): boolean {
  return total > 0 || COUNTED_BY_WORK.has(type);
}

async function* itemsOf(
  { database, parts }: ApiContext,
  { id, environmentId }: Job,
  signal: AbortSignal,
): AsyncGenerator<readonly EndedItem[], undefined> {
  const scope = { environmentId };
  for (let after = -1; ;) {
    const page = { after, limit: PAGE };
    const items = await parts.run(
      scope,
      () => database.withScope(scope, ({ jobs }) => jobs.endedItems(id, page), signal),
      signal,
    );
    yield items;
    if (items.length < PAGE) return undefined;
    after = items.at(-1)!.index;
  }
}

async function* presented(
  job: Job,
  first: readonly EndedItem[],
  others: AsyncIterable<readonly EndedItem[]>,
): AsyncGenerator<readonly unknown[]> {
  const show = job.type === 'reprocess' ? presentReprocessed : presentDetected;
  yield first.map(show);
  for await (const items of others) yield items.map(show);
}

function presentReprocessed({ index, input, result, error }: EndedItem): unknown {
  if (error === null) return result;
  return presentReprocessFailure({ index, ...(input as StoredImageInput) }, error);
}

function presentDetected({ index, input, result, error }: EndedItem): unknown {
  if (error === null) return result;
  return presentBulkFailure({ index, ...(input as PostedImageInput) }, error);
}
