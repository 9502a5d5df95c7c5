import { type ModelSlot, slotOf } from '@sightline/core/models/model-slot';
import type { FolderNote, PackDiscovery } from '@sightline/engine/packs/discover-packs';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { selectPacks } from '@sightline/engine/packs/select-packs';
import type { Config } from '@sightline/platform/config/variable-groups';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { STARTER_PACKS } from './starter/starter-packs.ts';

const SERVED_TASKS: readonly ModelSlot[] = ['face', 'object'];

/** A pack of the models folder, the starter model, or null if the task is not served. */
export type ChosenModel = ModelPack | 'starter' | null;

type Choice = Pick<Config, 'starter' | 'faceModel' | 'objectModel'>;

/**
 * Chooses the model for each task: the pack that is named, else the only pack in the folder, else
 * the starter model unless it is off. The name of a starter pack selects that pack even if the
 * folder has other packs.
 *
 * @throws ModelChoiceUnclear as {@link selectPacks} does
 * @throws StartError if the folder has an invalid pack and the starter model would replace it.
 *   After a change of the face model, no stored face matches until its embedding is recomputed.
 */
export function chooseModels(
  { packs, rejected }: Pick<PackDiscovery, 'packs' | 'rejected'>,
  choice: Choice,
): Readonly<Record<ModelSlot, ChosenModel>> {
  const named = SERVED_TASKS.filter((task) => isStarterNamed(task, packs, choice));
  const selected = selectPacks(
    packs.filter(({ manifest }) => !named.includes(slotOf(manifest))),
    {
      face: named.includes('face') ? undefined : requestedPack('face', choice),
      object: named.includes('object') ? undefined : requestedPack('object', choice),
    },
  );
  if (choice.starter === 'off') return selected;
  const unnamed = SERVED_TASKS.filter((task) => selected[task] === null && !named.includes(task));
  if (rejected.length > 0 && unnamed.length > 0) throw inPlaceOf(rejected, unnamed);
  return { face: selected.face ?? 'starter', object: selected.object ?? 'starter' };
}

export function modelVariable(task: ModelSlot): string {
  return `SIGHTLINE_${task.toUpperCase()}_MODEL`;
}

/** Returns the name of the pack that is configured for a task, which may be a starter pack. */
export function requestedPack(task: ModelSlot, choice: Choice): string | undefined {
  return (task === 'face' ? choice.faceModel : choice.objectModel) ?? undefined;
}

/**
 * Returns whether the name means the starter pack, rather than a pack with that name in the folder.
 */
function isStarterNamed(task: ModelSlot, packs: readonly ModelPack[], choice: Choice): boolean {
  const requested = requestedPack(task, choice);
  const isInFolder = packs.some(({ manifest }) => manifest.name === requested);
  return (
    choice.starter === 'auto' && requested === STARTER_PACKS[task].manifest.name && !isInFolder
  );
}

function inPlaceOf(rejected: readonly FolderNote[], tasks: readonly ModelSlot[]): StartError {
  const what = rejected.map(({ folder, reason }) => `${folder}: ${reason}`).join(' ');
  const settings = tasks.map(
    (task) => `${modelVariable(task)}=${STARTER_PACKS[task].manifest.name}`,
  );
  return new StartError(
    `The models folder contains invalid packs: ${what} Repair or remove them, or select the starter models with ${settings.join(' and ')}.`,
  );
}
