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
  /** @param provider where the settings of the installation want models to run */
  rolloutSource(provider: DatabaseSourceDeps['provider']): RolloutSource;
  /** Models that are declared; there are none where the database decides. */
  readonly declared: Pick<DeclaredModels, 'models'>;
  /** Reads which revisions are needed, whether they have rows or not; null: that cannot be known. */
  readonly needed: ((signal: AbortSignal) => Promise<ReadonlySet<string>>) | null;
  /** Writes requests of API callers into declarations; null: there are none. */
  readonly declarations: ModelDeclarations | null;
  /** Fetches models, given what would fetch them into the store of models. */
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
    // An outdated list would remove a pack that is needed.
    needed: async (signal) => {
      const declared = await source.modelsNow(signal);
      return new Set(declared.flatMap(({ needs }) => needs ?? []));
    },
    declarations,
    fetcher: (fetcher, describe) => new DeclaredFetcher({ fetcher, describe, declared: source }),
  };
}
