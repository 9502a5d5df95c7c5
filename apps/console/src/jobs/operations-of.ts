import type { Api } from '../client/api.ts';
import type { Job } from './job.ts';

/**
 * The operations of a job. One that reprocesses single images records an operation for each of them. The results of an
 * export are its archive, which has none and may be large.
 */
export async function operationsOf(
  api: Api,
  { id, type, operation_id: operationId, results_url: results }: Job,
): Promise<readonly number[]> {
  if (operationId !== null) return [operationId];
  if (results === null || type === 'export') return [];
  const body = await api.read('getJobResults', { path: { id } });
  if (body === undefined || body instanceof Blob || !('results' in body)) return [];
  return body.results.flatMap(({ operation_id: each }) => each ?? []);
}
