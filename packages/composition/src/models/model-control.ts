import {
  DatabaseSource,
  type DatabaseSourceDeps,
} from '@sightline/core/activation/database-source';
import type { RolloutSource } from '@sightline/core/activation/rollout-source';
import type { DeclaredModels, ModelDeclarations } from '@sightline/core/models/declared-models';
import type { ModelHosts } from '@sightline/core/models/model-hosts';
import type { ModelFetcher } from '@sightline/core/models/model-source';
import { DeclaredFetcher, type DescribePack } from './declared-fetcher.ts';

/** Decides which models answer, and changes that: the database, or the custom resources of a cluster. */
export interface ModelControl {
  /** @param provider reads on which execution provider the installation's settings want models to run */
  rolloutSource(provider: DatabaseSourceDeps['provider']): RolloutSource;
  /** The models that the cluster declares; none if the database decides. */
  readonly declared: Pick<DeclaredModels, 'models'>;
  /** Reads which revisions are needed, with or without rows; null if that is unknown. */
  readonly needed: ((signal: AbortSignal) => Promise<ReadonlySet<string>>) | null;
  /** Writes requests of API callers into declarations; null if the database decides. */
  readonly declarations: ModelDeclarations | null;
  /** The fetcher to use: the process's own one, or one that follows the fetches of a cluster. */
  fetcher(own: ModelFetcher, describe: DescribePack): ModelFetcher;
}

/** The rows of models and activations decide. */
export function databaseControl(hosts: Pick<ModelHosts, 'hold'>): ModelControl {
  return {
    rolloutSource: (provider) => new DatabaseSource({ hosts, provider }),
    declared: { models: () => Promise.resolve([]) },
    needed: null,
    declarations: null,
    fetcher: (own) => own,
  };
}

/** InferenceRoutes and InferenceModels decide. */
export function clusterControl(
  source: RolloutSource & DeclaredModels,
  declarations: ModelDeclarations,
): ModelControl {
  return {
    rolloutSource: () => source,
    declared: source,
    // The list is read from the API server, because a pack that is missing in an outdated list would be removed.
    needed: async (signal) => {
      const declared = await source.modelsNow(signal);
      return new Set(declared.flatMap(({ needs }) => needs ?? []));
    },
    declarations,
    fetcher: (fetcher, describe) => new DeclaredFetcher({ fetcher, describe, declared: source }),
  };
}
