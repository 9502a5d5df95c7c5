import type { ReportedModel } from '@sightline/core/models/analyzer-status';
import type { DesiredModel, DesiredModels } from '@sightline/core/models/desired-models';
import type { ModelSet } from '../model-set.ts';
import { hasAll } from './desired-set.ts';
import type { HeldSets } from './held-sets.ts';
import { reportedError } from './load-error.ts';
import type { ModelRequests } from './model-requests.ts';
import { type NotedPacks, shortOf } from './noted-packs.ts';

export interface ReportFacts {
  readonly desired: Pick<DesiredModels, 'models'>;
  readonly sets: Pick<HeldSets, 'warm' | 'errorOf'>;
  readonly packs: Pick<NotedPacks, 'stateOf' | 'describe'>;
  readonly requests: Pick<ModelRequests, 'secondsSince'>;
}

/**
 * Returns the desired models in their order, followed by other models that are still warm. Each
 * revision appears once.
 */
export function reportModels(facts: ReportFacts): readonly ReportedModel[] {
  const { desired, sets, requests } = facts;
  const warm = sets.warm.flatMap(({ models }) => models);
  const besides = warm.map(({ task, name, revision }): DesiredModel => ({
    task,
    name,
    revision,
    keep: 'loaded',
  }));
  const byRevision = new Map<string, ReportedModel>();
  for (const model of [...desired.models, ...besides]) {
    const { task, revision, name = facts.packs.describe(revision)?.name } = model;
    if (byRevision.has(revision)) continue;
    byRevision.set(revision, {
      name: name ?? shortOf(revision),
      task,
      revision,
      ...stateOf(model, facts),
      deaths: deathsOf(revision, sets.warm),
      lastRequestedSecondsAgo: requests.secondsSince(revision),
    });
  }
  return [...byRevision.values()];
}

type StateAndError = Pick<ReportedModel, 'state' | 'error'>;

function stateOf({ revision, keep }: DesiredModel, { sets, packs }: ReportFacts): StateAndError {
  if (sets.warm.some(({ models }) => hasAll(models, { face: revision }))) return just('warm');
  const pack = packs.stateOf(revision);
  const failure =
    pack?.kind === 'failed' ? pack.error : keep === 'loaded' ? sets.errorOf(revision) : null;
  if (failure !== null) return { state: 'failed', error: reportedError(failure) };
  if (pack?.kind !== 'disk') return just('fetching');
  return just(keep === 'loaded' ? 'warming' : 'disk');
}

function just(state: Exclude<ReportedModel['state'], 'failed'>): StateAndError {
  return { state, error: null };
}

function deathsOf(revision: string, warm: readonly ModelSet[]): number {
  return warm
    .filter(({ models }) => hasAll(models, { face: revision }))
    .reduce((sum, { deaths }) => sum + deaths, 0);
}
