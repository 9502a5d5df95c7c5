import {
  DatabaseSource,
  type DatabaseSourceDeps,
} from '@sightline/core/activation/database-source';
import type { RolloutSource } from '@sightline/core/activation/rollout-source';
import type { DeclaredModels, ModelDeclarations } from '@sightline/core/models/declared-models';
import type { ModelHosts } from '@sightline/core/models/model-hosts';
import type { ModelFetcher } from '@sightline/core/models/model-source';
import { DeclaredFetcher, type DescribePack } from './declared-fetcher.ts';

/** Controls which models are active. The database or the custom resources of a cluster decide. */
export interface ModelControl {
  /** @param provider reads the execution provider that the settings of the installation request */
  rolloutSource(provider: DatabaseSourceDeps['provider']): RolloutSource;
  /** The models that the cluster declares; none if the database decides. */
  readonly declared: Pick<DeclaredModels, 'models'>;
  /** Reads the revisions of model packs that must be kept; null if they are unknown. */
  readonly needed: ((signal: AbortSignal) => Promise<ReadonlySet<string>>) | null;
  /** Writes the model requests of API callers into custom resources; null if the database decides. */
  readonly declarations: ModelDeclarations | null;
  /** The fetcher to use: `own`, or one that waits for the fetches of the cluster. */
  fetcher(own: ModelFetcher, describe: DescribePack): ModelFetcher;
}

/** The model control of an installation in which the rows of models and activations decide. */
export function databaseControl(hosts: Pick<ModelHosts, 'hold'>): ModelControl {
  return {
    rolloutSource: (provider) => new DatabaseSource({ hosts, provider }),
    declared: { models: () => Promise.resolve([]) },
    needed: null,
    declarations: null,
    fetcher: (own) => own,
  };
}

/** The model control of an installation in which InferenceRoutes and InferenceModels decide. */
export function clusterControl(
  source: RolloutSource & DeclaredModels,
  declarations: ModelDeclarations,
): ModelControl {
  return {
    rolloutSource: () => source,
    declared: source,
    // The models are read from the API server. An outdated list might lack a model, and its pack would be removed.
    needed: async (signal) => {
      const declared = await source.modelsNow(signal);
      return new Set(declared.flatMap(({ needs }) => needs ?? []));
    },
    declarations,
    fetcher: (fetcher, describe) => new DeclaredFetcher({ fetcher, describe, declared: source }),
  };
}
