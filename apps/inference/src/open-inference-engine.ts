import type { PackStore } from '@sightline/core/models/pack-store';
import { Engine } from '@sightline/engine/engine';
import { engineOptions, openEngine } from '@sightline/model-host/open-engine';
import { observeEngine } from '@sightline/model-host/observe-engine';
import { openModels } from '@sightline/model-host/open-models';
import { HostPacks } from '@sightline/model-host/packs/host-packs';
import type { ProcessContext } from '@sightline/platform/process/run-process';
import { ServingFile } from './desired/serving-file.ts';
import type { InferenceRoleDeps } from './role.ts';

export interface InferenceEngineDeps extends Pick<
  ProcessContext<'models' | 'serving'>,
  'config' | 'logger' | 'registry' | 'operations'
> {
  /** Where downloaded packs are; null: nowhere. */
  readonly store: PackStore | null;
}

/**
 * The engine of an inference process, and the source of its desired models: a serving file if the configuration names
 * one, else controllers, which find it with the models of its configuration.
 */
export function openerOf(
  deps: InferenceEngineDeps,
): Pick<InferenceRoleDeps, 'openEngine' | 'source'> {
  const { config, logger, operations } = deps;
  const { servingFile } = config;
  let engine: Engine | null = null;
  operations.serve('/models', () => ({ models: engine?.status().report ?? [] }));
  const open = servingFile === null ? openConfigured : openEmpty;
  return {
    openEngine: async (signal) => (engine = await open(deps, signal)),
    ...(servingFile !== null && { source: new ServingFile(servingFile, logger) }),
  };
}

/** Loads the models of the configuration. @throws StartError if there are none or they cannot be loaded */
async function openConfigured(deps: InferenceEngineDeps, signal: AbortSignal): Promise<Engine> {
  return openEngine({ ...deps, packs: await openModels({ ...deps, signal }) });
}

/** Without models: a fault of the serving file is none of the configuration, so the process waits for a better one. */
function openEmpty({ config, logger, registry, store }: InferenceEngineDeps): Promise<Engine> {
  const source = new HostPacks({ packs: [], config, store, logger });
  let engine: Engine | undefined = undefined;
  const observer = observeEngine({ registry, logger, status: () => engine?.status() });
  // A process that is to use a GPU does not answer slowly instead.
  const requiresCuda = config.provider === 'cuda';
  const opened = new Engine({ ...engineOptions(config), source, observer, requiresCuda });
  engine = opened;
  source.retireRegularly(() => opened.status().report.map(({ revision }) => revision));
  return Promise.resolve(engine);
}
