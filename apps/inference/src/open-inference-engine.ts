import type { PackStore } from '@sightline/core/models/pack-store';
import type { ReportedRuntime } from '@sightline/contracts/cluster/model-report';
import { Engine, type EngineStatus } from '@sightline/engine/engine';
import { engineOptions, openEngine } from '@sightline/model-host/open-engine';
import { observeEngine } from '@sightline/model-host/observe-engine';
import { openModels } from '@sightline/model-host/open-models';
import { HostPacks } from '@sightline/model-host/packs/host-packs';
import type { ProcessContext } from '@sightline/platform/process/run-process';
import type { AcceptedKeys } from './accepted-keys.ts';
import { ServingFile } from './desired/serving-file.ts';
import type { InferenceRoleDeps } from './role.ts';

export interface InferenceEngineDeps extends Pick<
  ProcessContext<'models' | 'serving'>,
  'config' | 'logger' | 'registry' | 'operations'
> {
  /** The model store; null if there is none. */
  readonly store: PackStore | null;
  /** The keys of callers; null if callers need none. */
  readonly keys: Pick<AcceptedKeys, 'report'> | null;
}

/**
 * The engine of an inference process and the source of its desired models: the serving file if the configuration names
 * one. Otherwise the process loads the configured models first, and then follows a controller.
 */
export function openerOf(
  deps: InferenceEngineDeps,
): Pick<InferenceRoleDeps, 'openEngine' | 'source'> {
  const { config, logger, operations, keys } = deps;
  const { servingFile } = config;
  let engine: Engine | null = null;
  operations.serve('/models', () => ({
    ...reportOf(engine),
    ...(keys !== null && { keys: keys.report }),
  }));
  const open = servingFile === null ? openConfigured : openEmpty;
  return {
    openEngine: async (signal) => (engine = await open(deps, signal)),
    ...(servingFile !== null && { source: new ServingFile(servingFile, logger) }),
  };
}

/** The models of the process and, once a set of them is warm, its threads and memory. */
function reportOf(engine: Engine | null): {
  readonly models: EngineStatus['report'];
  readonly runtime: ReportedRuntime | null;
} {
  if (engine === null) return { models: [], runtime: null };
  const { report, workers: threads, memoryBytes } = engine.status();
  const isWarm = memoryBytes !== null && threads > 0;
  return { models: report, runtime: isWarm ? { threads, memoryBytes } : null };
}

/** Loads the models of the configuration. @throws StartError if it has none or a model cannot be loaded */
async function openConfigured(deps: InferenceEngineDeps, signal: AbortSignal): Promise<Engine> {
  return openEngine({ ...deps, packs: await openModels({ ...deps, signal }) });
}

/** Starts without models: if the serving file is not valid, the process waits for the next version of the file. */
function openEmpty({ config, logger, registry, store }: InferenceEngineDeps): Promise<Engine> {
  const source = new HostPacks({ packs: [], config, store, logger });
  let engine: Engine | undefined = undefined;
  const observer = observeEngine({ registry, logger, status: () => engine?.status() });
  // If the configuration requires a GPU, a model must not fall back to the CPU.
  const requiresCuda = config.provider === 'cuda';
  const opened = new Engine({ ...engineOptions(config), source, observer, requiresCuda });
  engine = opened;
  source.retireRegularly(() => opened.status().report.map(({ revision }) => revision));
  return Promise.resolve(engine);
}
