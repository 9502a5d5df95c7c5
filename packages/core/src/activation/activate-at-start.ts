import { setTimeout } from 'node:timers/promises';
import type { ReportedState } from '../models/analyzer-status.ts';
import type { ActiveModel } from '../models/model.ts';
import type { ModelHosts } from '../models/model-hosts.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import { slotOf } from '../models/model-slot.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import { desiredByRoles } from '../models/desired-models.ts';
import { reembedsFor } from '../reembedding/reembeds-for.ts';

export interface ActivateModelsDeps {
  readonly models: ModelRegistry;
  readonly modelStore: Pick<ModelStore, 'active' | 'activate'>;
}

export interface ActivateAtStartDeps extends ActivateModelsDeps {
  /** Reports and controls the models of this process only. */
  readonly hosts: ModelHosts;
  readonly modelStore: Pick<ModelStore, 'active' | 'activate' | 'roles'>;
  /** Called if this process found a model at its start, but another model of the slot is active. */
  readonly onOther?: (found: ActiveModel, active: RegisteredModel) => void;
}

const POLL_MS = 50;
const SETTLED: readonly ReportedState[] = ['disk', 'failed', 'warm'];

/**
 * Loads the active models into this process, before it serves requests. In a slot without an active model, or whose
 * active model this process cannot load, the model that was found at the start becomes active. After a change of the
 * face model, every environment with faces gets two jobs: one embeds enrolled faces, and the next one embeds all other
 * faces. Matching is unavailable in an environment until its first job has ended, because it would recognize no person.
 *
 * @returns the active models
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function activateAtStart(
  deps: ActivateAtStartDeps,
  signal: AbortSignal,
): Promise<readonly RegisteredModel[]> {
  const roles = await deps.modelStore.roles(signal);
  const found = await runningOf(deps);
  const desired = desiredByRoles({ ...roles, pending: [], previous: [] }, 'auto');
  const others = roles.active.filter(({ revision }) =>
    found.every((model) => model.revision !== revision),
  );
  if (desired !== null && others.length > 0) {
    await deps.hosts.hold(desired, signal);
    await untilSettled(deps.hosts, signal);
  }
  const running = await runningOf(deps);
  for (const row of roles.active) {
    if (running.every(({ revision }) => revision !== row.revision)) continue;
    const other = found.find((model) => slotOf(model) === slotOf(row));
    if (other !== undefined && other.revision !== row.revision) deps.onOther?.(other, row);
  }
  return activateModels(deps, running, signal);
}

async function runningOf({ hosts }: ActivateAtStartDeps): Promise<readonly ActiveModel[]> {
  const [status] = await hosts.statuses(AbortSignal.any([]));
  return status?.models ?? [];
}

async function untilSettled(hosts: ModelHosts, signal: AbortSignal): Promise<void> {
  for (;;) {
    const [status] = await hosts.statuses(signal);
    if ((status?.report ?? []).every(({ state }) => SETTLED.includes(state))) return;
    await setTimeout(POLL_MS, undefined, { signal });
  }
}

/**
 * Makes models active that already serve requests.
 *
 * @throws StoreUnavailable
 */
export async function activateModels(
  deps: ActivateModelsDeps,
  answering: readonly ActiveModel[],
  signal?: AbortSignal,
): Promise<readonly RegisteredModel[]> {
  const before = await deps.modelStore.active(signal);
  const active: RegisteredModel[] = [];
  for (const one of answering) {
    const model = await deps.models.of(one);
    active.push(model);
    if (before.some(({ id, task }) => id === model.id && task === model.task)) continue;
    const embeds = model.task === 'face' && model.embeddingDim !== null;
    await deps.modelStore.activate(model.id, embeds ? { jobsFor: reembedsFor(model) } : {});
  }
  return active;
}
