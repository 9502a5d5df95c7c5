import type { Job } from '@sightline/core/jobs/job';
import { NotFound } from '@sightline/core/store/not-found';
import type { Scope } from '@sightline/core/store/scope';
import type { ApiContext } from '../../context/api-context.ts';

/** @throws NotFound, StoreUnavailable */
export async function requireJob(
  { database }: Pick<ApiContext, 'database'>,
  { scope, id }: { readonly scope: Scope; readonly id: number },
  signal: AbortSignal,
): Promise<Job> {
  const job = await database.withScope(scope, ({ jobs }) => jobs.byId(id), signal);
  if (job === null) throw new NotFound('job', id);
  return job;
}
