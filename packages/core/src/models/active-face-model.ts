import type { ModelStore, RegisteredModel } from './model-store.ts';

/** @throws StoreUnavailable */
export async function activeFaceModel(
  models: Pick<ModelStore, 'active'>,
  signal?: AbortSignal,
): Promise<RegisteredModel | null> {
  const active = await models.active(signal);
  return active.find(({ task }) => task === 'face') ?? null;
}
