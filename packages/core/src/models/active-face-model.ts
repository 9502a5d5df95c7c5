import type { ModelStore } from './model-store.ts';

/**
 * The id of the active face model; null if none is active.
 *
 * @throws StoreUnavailable
 */
export async function activeFaceModel(
  models: Pick<ModelStore, 'active'>,
  signal?: AbortSignal,
): Promise<number | null> {
  const active = await models.active(signal);
  return active.find(({ task }) => task === 'face')?.id ?? null;
}
