import { DomainError } from '@sightline/core/domain-error';
import { discoverPacks, type FolderNote } from '@sightline/engine/packs/discover-packs';
import { selectPacks, type SelectedPacks } from '@sightline/engine/packs/select-packs';
import type { Config } from '@sightline/platform/config/parse-config';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Logger } from '@sightline/platform/logging/logger';

const HOW_TO_GIVE_ONE =
  'Set SIGHTLINE_MODELS_DIR to a folder that holds one folder per model: an InsightFace pack, a YOLO or YOLOX file, or a pack with a manifest.json.';

/**
 * Finds the packs that are to answer. Folders that are no packs are warnings.
 *
 * @throws StartError if there is no usable model, or if it is not clear which of several to take
 */
export async function openModels(
  config: Pick<Config, 'modelsDir' | 'faceModel' | 'objectModel'>,
  logger: Logger,
): Promise<SelectedPacks> {
  const { packs, rejected, warnings } = await refuseToStart(
    () => discoverPacks(config.modelsDir),
    () => HOW_TO_GIVE_ONE,
  );
  for (const { folder, reason } of rejected) logger.warn({ folder, reason }, 'not a model pack');
  for (const { folder, reason } of warnings) logger.warn({ folder, reason }, 'file left out');
  const selected = await refuseToStart(
    () =>
      selectPacks(packs, {
        face: config.faceModel ?? undefined,
        object: config.objectModel ?? undefined,
      }),
    ({ facts }) => `Set SIGHTLINE_${String(facts.task).toUpperCase()}_MODEL to one of them.`,
  );
  if (selected.face === null && selected.object === null) {
    throw new StartError(noModel(config.modelsDir, rejected));
  }
  return selected;
}

function noModel(modelsDir: string, rejected: readonly FolderNote[]): string {
  const reasons = rejected.map(({ folder, reason }) => `\n  ${folder}: ${reason}`).join('');
  return `There is no usable model in ${modelsDir}. ${HOW_TO_GIVE_ONE}${reasons}`;
}

/** Runs a step whose refusal ends the start, and adds the way out to what it says. */
export async function refuseToStart<T>(
  step: () => T | Promise<T>,
  wayOut: (error: DomainError) => string,
): Promise<Awaited<T>> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new StartError(`${error.message} ${wayOut(error)}`, { cause: error });
  }
}
