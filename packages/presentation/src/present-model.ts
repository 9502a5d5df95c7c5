import type { Health } from '@sightline/contracts/discovery/get-health-contract';
import type { ActiveModel } from '@sightline/core/models/model';
import type { ModelRegistry } from '@sightline/core/models/model-registry';
import type { RegisteredModel } from '@sightline/core/models/model-store';
import type { z } from 'zod';

type ModelNames = z.input<typeof Health>['models'][number];

export function presentRegisteredModel({ task, name, id, revision }: RegisteredModel): ModelNames {
  return { task, name, id, revision };
}

/**
 * Names a model in a response that must not depend on the database. The id is null while the database is unavailable.
 */
export async function presentModel(
  models: ModelRegistry | null,
  model: ActiveModel,
): Promise<ModelNames> {
  const { task, name, revision } = model;
  const row = await models?.of(model).catch(() => null);
  return { task, name, id: row?.id ?? null, revision };
}
