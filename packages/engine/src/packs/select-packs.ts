import { DomainError } from '@sightline/core/domain-error';
import type { ModelTask } from '@sightline/core/models/model';
import type { ModelPack } from './manifest.ts';

/** The wanted models cannot be told from the packs that there are; `task` says which of them. */
export class ModelChoiceUnclear extends DomainError {
  readonly code = 'model_choice_unclear';
}

/** Names of packs; undefined takes the only one of its task. */
export interface WantedPacks {
  readonly face?: string | undefined;
  readonly object?: string | undefined;
}

/** Null: there is no pack of this task. */
export interface SelectedPacks {
  readonly face: ModelPack | null;
  readonly object: ModelPack | null;
}

/**
 * Chooses the packs that answer.
 *
 * @throws ModelChoiceUnclear if a wanted pack is absent or of another task, or if none is named and
 *   there are several
 */
export function selectPacks(packs: readonly ModelPack[], wanted: WantedPacks): SelectedPacks {
  return {
    face: selectPack(packs, 'face', wanted.face),
    object: selectPack(packs, 'object', wanted.object),
  };
}

function selectPack(
  packs: readonly ModelPack[],
  task: ModelTask,
  wanted: string | undefined,
): ModelPack | null {
  const candidates = packs.filter(({ manifest }) => manifest.task === task);
  const names = candidates.map(({ manifest }) => manifest.name).join(', ');
  if (wanted !== undefined) {
    const pack = candidates.find(({ manifest }) => manifest.name === wanted);
    if (pack !== undefined) return pack;
    const found = names === '' ? 'there is none' : `there are: ${names}`;
    throw new ModelChoiceUnclear(`No ${task} model is called "${wanted}"; ${found}.`, { task });
  }
  if (candidates.length > 1) {
    throw new ModelChoiceUnclear(`Several ${task} models are there: ${names}.`, { task });
  }
  return candidates[0] ?? null;
}
