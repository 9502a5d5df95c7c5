import { lstat } from 'node:fs/promises';
import { DomainError } from '@sightline/core/domain-error';
import { type ModelSlot, slotOf } from '@sightline/core/models/model-slot';
import {
  discoverPacks,
  type FolderNote,
  type PackDiscovery,
} from '@sightline/engine/packs/discover-packs';
import { keepOnly, type ModelContents } from '@sightline/engine/packs/model-contents';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import type { SelectedPacks } from '@sightline/engine/packs/select-packs';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import type { Config } from '@sightline/platform/config/variable-groups';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Logger } from '@sightline/platform/logging/logger';
import { type ChosenModel, chooseModels, modelVariable, requestedPack } from './choose-models.ts';
import { makeStarter } from './starter/make-starter.ts';
import { STARTER_PACKS } from './starter/starter-packs.ts';

const HOW_TO_ADD_MODELS =
  'Set SIGHTLINE_MODELS_DIR to a folder that holds one folder per model: an InsightFace pack, a YOLO or YOLOX file, or a pack with a manifest.json.';

/** The default models folder, which does not have to exist. */
const DEFAULT_MODELS_DIR = './models';

export interface ModelsDeps {
  readonly config: Config<'models'>;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** The packs to serve, with the contents of their files as they were read and checked. */
export interface OpenedModels extends SelectedPacks {
  readonly packs: readonly ModelPack[];
  readonly contents: ModelContents;
}

/**
 * Finds the packs to serve. Starter models are downloaded at their first use. Invalid folders, and
 * starter models that cannot be downloaded, cause warnings, and their tasks are not served.
 *
 * @throws StartError if there is no usable model and the starter is off, if the choice among
 *   several packs is unclear, or if a pack that is set by name is not available
 */
export async function openModels(deps: ModelsDeps): Promise<OpenedModels> {
  const contents: ModelContents = new Map();
  const { config, logger } = deps;
  const found = await findPacks(config, contents);
  for (const { folder, reason } of found.rejected)
    logger.warn({ folder, reason }, 'ignored a folder that is not a model pack');
  for (const { folder, reason } of found.warnings)
    logger.warn({ folder, reason }, 'ignored an unused file in the folder of a model pack');
  const chosen = await refuseToStart(
    () => chooseModels(found, config),
    ({ facts }) => howToChoose(facts.task as ModelSlot, found, config),
  );
  if (chosen.face === null && chosen.object === null) {
    throw new StartError(noModel(config, found.rejected));
  }
  const opening = { ...deps, contents };
  const face = await packOf('face', chosen.face, opening);
  const object = await packOf('object', chosen.object, opening);
  keepOnly(contents, [face, object]);
  const packs = [...found.packs, ...[face, object].filter((pack) => pack !== null)];
  return { face, object, packs: [...new Set(packs)], contents };
}

async function findPacks(
  { modelsDir, starter }: Pick<Config, 'modelsDir' | 'starter'>,
  contents: ModelContents,
): Promise<PackDiscovery> {
  if (modelsDir === null && starter === 'auto' && !(await exists(DEFAULT_MODELS_DIR))) {
    return { packs: [], rejected: [], warnings: [] };
  }
  return refuseToStart(
    () => discoverPacks(modelsDir ?? DEFAULT_MODELS_DIR, contents),
    () => HOW_TO_ADD_MODELS,
  );
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

async function packOf(
  task: ModelSlot,
  chosen: ChosenModel,
  { config, logger, signal, contents }: ModelsDeps & Pick<OpenedModels, 'contents'>,
) {
  if (chosen !== 'starter') return chosen;
  const environment = readEnvironment();
  const made = await makeStarter(STARTER_PACKS[task], {
    cache: config.cache,
    environment,
    contents,
    logger,
    signal,
  });
  if (made.pack !== null) return made.pack;
  const sentence = `There is no ${task} model: ${made.reason}.`;
  if (requestedPack(task, config) !== undefined) throw new StartError(sentence);
  logger.warn(sentence);
  return null;
}

function howToChoose(
  task: ModelSlot,
  { packs }: PackDiscovery,
  { starter }: Pick<Config, 'starter'>,
): string {
  if (!packs.some(({ manifest }) => slotOf(manifest) === task)) {
    return `Leave ${modelVariable(task)} unset.`;
  }
  const orStarter = starter === 'off' ? '' : ` or to ${STARTER_PACKS[task].manifest.name}`;
  return `Set ${modelVariable(task)} to one of them${orStarter}.`;
}

function noModel(
  { modelsDir }: Pick<Config, 'modelsDir'>,
  rejected: readonly FolderNote[],
): string {
  const reasons = rejected.map(({ folder, reason }) => `\n  ${folder}: ${reason}`).join('');
  return `There is no usable model in ${modelsDir ?? DEFAULT_MODELS_DIR}. ${HOW_TO_ADD_MODELS}${reasons}`;
}

/**
 * Runs a step of the start. If the step throws a domain error, its message gets an instruction that
 * says how to fix the problem.
 */
export async function refuseToStart<T>(
  step: () => T | Promise<T>,
  remedy: (error: DomainError) => string,
): Promise<Awaited<T>> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new StartError(`${error.message} ${remedy(error)}`, { cause: error });
  }
}
