import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import type { WriteContext } from '../database/store-context.ts';

const IS_ACTIVE = `SELECT FROM models WHERE id = $1 AND status = 'active'`;
const COUNTS = `SELECT FROM models m WHERE id = $1 AND (status = 'active' OR EXISTS (
  SELECT FROM activations a
  WHERE a.previous_id = m.id AND a.switched_at > now() - interval '60 seconds'))`;

export async function requireActive(
  { session, locks }: WriteContext,
  modelId: number,
): Promise<void> {
  locks.require({ entity: 'models' });
  const rows = await session.prepared('require-active', IS_ACTIVE, [modelId]);
  if (rows.length === 0) throw replaced();
}

export async function requireCounting(
  { session, locks }: WriteContext,
  modelId: number,
): Promise<void> {
  locks.require({ entity: 'models' });
  const rows = await session.prepared('require-counting', COUNTS, [modelId]);
  if (rows.length === 0) throw replaced();
}

function replaced(): InferenceUnavailable {
  return new InferenceUnavailable(
    'The active model was switched while the request was running; try again.',
  );
}
