import { DomainError } from '@sightline/core/domain-error';
import { type ModelSlot, slotOf } from '@sightline/core/models/model-slot';
import type { ModelPack } from './manifest.ts';

/**
 * The error of a configuration that does not determine a single pack for a task. The fact `task`
 * names the task.
 */
export class ModelChoiceUnclear extends DomainError {
  readonly code = 'model_choice_unclear';
}

/** The names of packs. If a name is undefined, the only pack of the task is selected. */
export interface RequestedPacks {
  readonly face?: string | undefined;
  readonly object?: string | undefined;
}

/** The packs to serve. A task without a pack is null. */
export interface SelectedPacks {
  readonly face: ModelPack | null;
  readonly object: ModelPack | null;
}

/**
 * Selects the packs to serve.
 *
 * @throws ModelChoiceUnclear if a named pack is missing or has another task, or if the
 *   configuration names no pack and there are several
 */
export function selectPacks(packs: readonly ModelPack[], requested: RequestedPacks): SelectedPacks {
  return {
    face: selectPack(packs, 'face', requested.face),
    object: selectPack(packs, 'object', requested.object),
  };
}

function selectPack(
  packs: readonly ModelPack[],
  task: ModelSlot,
  requested: string | undefined,
): ModelPack | null {
  const candidates = packs.filter(({ manifest }) => slotOf(manifest) === task);
  const names = candidates.map(({ manifest }) => manifest.name).join(', ');
  if (requested !== undefined) {
    const pack = candidates.find(({ manifest }) => manifest.name === requested);
    if (pack !== undefined) return pack;
    const available = names === '' ? 'none' : names;
    const sentence = `There is no ${task} model named "${requested}"; available: ${available}.`;
    throw new ModelChoiceUnclear(sentence, { task });
  }
  if (candidates.length > 1) {
    throw new ModelChoiceUnclear(`There are several ${task} models: ${names}.`, { task });
  }
  return candidates[0] ?? null;
}
