import type { PackStore } from '@sightline/core/models/pack-store';
import type { Engine } from '@sightline/engine/engine';
import { loadEngine, openEngine } from '@sightline/model-host/open-engine';
import { observeEngine } from '@sightline/model-host/observe-engine';
import { openModels } from '@sightline/model-host/open-models';
import { HostPacks } from '@sightline/model-host/packs/host-packs';
import type { ProcessContext } from '@sightline/platform/process/run-process';
import { ServedModels } from './serving/served-models.ts';

type Context = ProcessContext<'models' | 'serving'>;

export interface WarmEngineDeps extends Pick<
  Context,
  'config' | 'logger' | 'registry' | 'operations'
> {
  /** Where downloaded packs are; null: nowhere. */
  readonly store: PackStore | null;
}

/** What decides which models a process holds: its configuration and its callers, or a file. */
export interface EngineOpener extends AsyncDisposable {
  /** Finds models, loads them and warms them up. */
  readonly open: (signal: AbortSignal) => Promise<Engine>;
  /** Null: callers tell the engine what to hold. */
  readonly served: Pick<ServedModels<Engine>, 'asked' | 'isReady'> | null;
}

export function openerOf(deps: WarmEngineDeps): EngineOpener {
  const { servingFile } = deps.config;
  return servingFile === null ? configured(deps) : serving(servingFile, deps);
}

/** Throws StartError if there are no models or they cannot be loaded. */
function configured(deps: WarmEngineDeps): EngineOpener {
  return {
    open: async (signal) => openEngine({ ...deps, packs: await openModels({ ...deps, signal }) }),
    served: null,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** A fault of a file is none of the configuration: the process waits for a better one. */
function serving(path: string, deps: WarmEngineDeps): EngineOpener {
  const { config, logger, registry, store } = deps;
  const packs = new HostPacks({ packs: [], config, store, logger });
  let engine: Engine | undefined = undefined;
  const observer = observeEngine({ registry, logger, status: () => engine?.status() });
  const served = new ServedModels<Engine>({
    path,
    packs,
    // A process that is to use a GPU does not answer slowly instead.
    open: (found, source) =>
      loadEngine({
        packs: found,
        source,
        observer,
        requiresCuda: config.provider === 'cuda',
        config,
        logger,
      }),
    logger,
  });
  deps.operations.serve('/models', () => served.report);
  return {
    async open(signal) {
      packs.retireRegularly(() => served.wanted);
      engine = await served.start(signal);
      return engine;
    },
    served,
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
}
