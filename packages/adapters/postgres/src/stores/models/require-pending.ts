import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import type { TransactionSession } from '../../doors/transaction-session.ts';

/** Whether an activation's job `j` has neither ended nor been cancelled. */
export const IS_UNFINISHED = `j.status IN ('pending', 'running') AND j.error IS NULL`;

/**
 * Keeps the job of the model's activation from being cancelled until the transaction ends. A worker notices a
 * cancellation only some seconds later, and a worker that was suspended may find its job ended.
 *
 * @throws InferenceUnavailable if the model has no unfinished activation
 */
export async function requirePending(session: TransactionSession, modelId: number): Promise<void> {
  const pending = await session.query(
    `SELECT FROM activations a
     JOIN jobs j ON j.environment_id = a.job_environment_id AND j.id = a.job_id
     WHERE a.model_id = $1 AND ${IS_UNFINISHED} FOR SHARE OF j`,
    [modelId],
  );
  if (pending.length === 0) throw new InferenceUnavailable('The activation was cancelled.');
}
