import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import type { WriteContext } from './store-context.ts';

/** See `Transaction.requireActive`. */
export async function requireActive(
  { session, locks }: WriteContext,
  modelId: number,
): Promise<void> {
  locks.require({ entity: 'model', id: modelId });
  const rows = await session.prepared(
    'require-active',
    `SELECT FROM models WHERE id = $1 AND status = 'active'`,
    [modelId],
  );
  if (rows.length === 0) {
    throw new InferenceUnavailable(
      'Another model than the one that answered has become active; try again later.',
    );
  }
}
