import type { Job } from '@sightline/core/jobs/job';
import type { ApiServer } from './api-server.ts';

/** The jobs of the test's environment, newest first. */
export async function jobsOf(api: ApiServer): Promise<readonly Job[]> {
  const { keys, database } = api.stores;
  const { id: environmentId } = await keys.environment(api.environment);
  const { items } = await database.withScope({ environmentId }, ({ jobs }) =>
    jobs.list({ before: null, limit: 200 }),
  );
  return items;
}
