import type { FolderNote, PackDiscovery } from '@sightline/engine/packs/discover-packs';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { selectPacks } from '@sightline/engine/packs/select-packs';
import type { Config } from '@sightline/platform/config/variable-groups';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { type ServedTask, STARTER_PACKS } from './starter/starter-packs.ts';

const SERVED_TASKS: readonly ServedTask[] = ['face', 'object'];

/** A pack of the folder of models; the starter's; or none, and the task is not served. */
export type ChosenModel = ModelPack | 'starter' | null;

type Choice = Pick<Config, 'starter' | 'faceModel' | 'objectModel'>;

/**
 * Chooses what answers each task: the pack that is named, else the only one of the folder, else the
 * starter unless that is off. The name of a starter pack chooses it even where others are.
 *
 * @throws ModelChoiceUnclear as {@link selectPacks}
 * @throws StartError if something in the folder is meant as a pack, perhaps, and is none, and the
 *   starter would answer in its place: to another face model every stored face would be a stranger's
 *   until it has been embedded anew
 */
export function chooseModels(
  { packs, rejected }: Pick<PackDiscovery, 'packs' | 'rejected'>,
  choice: Choice,
): Readonly<Record<ServedTask, ChosenModel>> {
  const named = SERVED_TASKS.filter((task) => isStarterNamed(task, packs, choice));
  const selected = selectPacks(
    packs.filter(({ manifest }) => !(named as string[]).includes(manifest.task)),
    {
      face: named.includes('face') ? undefined : wantedPack('face', choice),
      object: named.includes('object') ? undefined : wantedPack('object', choice),
    },
  );
  if (choice.starter === 'off') return selected;
  const unnamed = SERVED_TASKS.filter((task) => selected[task] === null && !named.includes(task));
  if (rejected.length > 0 && unnamed.length > 0) throw inPlaceOf(rejected, unnamed);
  return { face: selected.face ?? 'starter', object: selected.object ?? 'starter' };
}

/** The variable that names the pack of a task. */
export function modelVariable(task: ServedTask): string {
  return `SIGHTLINE_${task.toUpperCase()}_MODEL`;
}

/** Whether the pack of a task is chosen by name; the starter's, too. */
export function wantedPack(task: ServedTask, choice: Choice): string | undefined {
  return (task === 'face' ? choice.faceModel : choice.objectModel) ?? undefined;
}

/** A pack of that name in the folder is that one. */
function isStarterNamed(task: ServedTask, packs: readonly ModelPack[], choice: Choice): boolean {
  const wanted = wantedPack(task, choice);
  const isInFolder = packs.some(({ manifest }) => manifest.name === wanted);
  return choice.starter === 'auto' && wanted === STARTER_PACKS[task].manifest.name && !isInFolder;
}

function inPlaceOf(rejected: readonly FolderNote[], tasks: readonly ServedTask[]): StartError {
  const what = rejected.map(({ folder, reason }) => `${folder}: ${reason}`).join(' ');
  const settings = tasks.map(
    (task) => `${modelVariable(task)}=${STARTER_PACKS[task].manifest.name}`,
  );
  return new StartError(
    `The folder of models holds what cannot be used, and the starter would answer in its place (${what}): repair or remove it, or choose the starter with ${settings.join(' and ')}.`,
  );
}
