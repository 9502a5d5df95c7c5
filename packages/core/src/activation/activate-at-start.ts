import { setTimeout } from 'node:timers/promises';
import type { ReportedState } from '../models/analyzer-status.ts';
import { desiredByRoles } from '../models/desired-models.ts';
import type { ActiveModel } from '../models/model.ts';
import type { ModelHosts } from '../models/model-hosts.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import { slotOf } from '../models/model-slot.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import { switchAtOnce } from './switch-at-once.ts';

export interface ActivateAtStartDeps {
  readonly models: ModelRegistry;
  readonly modelStore: Pick<ModelStore, 'active' | 'activate'>;
  /** Reports and controls the models of this process only. */
  readonly hosts: ModelHosts;
  /**
   * Called if this process had loaded the model `found`, but `active` is the active model of the slot and replaces it
   * here.
   */
  readonly onOther?: (found: ActiveModel, active: RegisteredModel) => void;
}

const POLL_MS = 50;
const SETTLED: readonly ReportedState[] = ['disk', 'failed', 'warm'];

/**
 * Loads the active models into this process, before it serves requests. In a slot without an active model, or whose
 * active model this process cannot load, the model that this process had loaded before becomes active. After a change
 * of the face model, every environment with faces gets two jobs: one embeds enrolled faces, and the next one embeds
 * all other faces. Matching is unavailable in an environment until its first job has ended, because without
 * embeddings of the new model no person would be recognized.
 *
 * @returns the active models
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function activateAtStart(
  { models, modelStore, hosts, onOther }: ActivateAtStartDeps,
  signal: AbortSignal,
): Promise<readonly RegisteredModel[]> {
  const active = await modelStore.active(signal);
  const found = await runningOf(hosts, signal);
  const desired = desiredByRoles({ active, pending: [], previous: [] }, 'auto');
  if (desired !== null && !active.every((row) => isAmong(found, row))) {
    await hosts.hold(desired, signal);
    await untilSettled(hosts, signal);
  }
  const running = await runningOf(hosts, signal);
  for (const row of active.filter((each) => isAmong(running, each))) {
    const other = found.find((model) => slotOf(model) === slotOf(row));
    if (other !== undefined && other.revision !== row.revision) onOther?.(other, row);
  }
  const rows: RegisteredModel[] = [];
  for (const model of running) {
    const row = await models.of(model);
    rows.push(row);
    if (!active.some(({ id, task }) => id === row.id && task === row.task))
      await switchAtOnce(modelStore, row);
  }
  return rows;
}

function isAmong(models: readonly ActiveModel[], { revision }: RegisteredModel): boolean {
  return models.some((model) => model.revision === revision);
}

async function runningOf(hosts: ModelHosts, signal: AbortSignal): Promise<readonly ActiveModel[]> {
  const [status] = await hosts.statuses(signal);
  return status?.models ?? [];
}

async function untilSettled(hosts: ModelHosts, signal: AbortSignal): Promise<void> {
  for (;;) {
    const [status] = await hosts.statuses(signal);
    if ((status?.report ?? []).every(({ state }) => SETTLED.includes(state))) return;
    await setTimeout(POLL_MS, undefined, { signal });
  }
}
