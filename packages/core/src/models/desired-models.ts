import type { NamedModels, ReportedModel } from './analyzer-status.ts';
import type { ModelTask } from './model.ts';
import { type ModelSlot, slotOf } from './model-slot.ts';
import type { ModelRoles } from './model-store.ts';

/** A model that a process is to have. */
export interface DesiredModel {
  readonly task: ModelTask;
  /** The name of its pack, for reports; absent: only the revision is known. */
  readonly name?: string | undefined;
  readonly revision: string;
  /** `loaded`: it answers requests. `disk`: its files are on the disk of the process. */
  readonly keep: 'loaded' | 'disk';
}

/** The desired state of a process that runs models: a serving file, or the body of `PUT /v1/models`. */
export interface DesiredModels {
  /** Where the models run; `auto`: on a GPU if the process has one. */
  readonly provider: 'auto' | 'cpu';
  /** In order of preference: requests that name no models are answered by the first of each slot. */
  readonly models: readonly DesiredModel[];
}

/** The sets of models that a process holds at the same time. */
const MAX_SETS = 2;

/**
 * The sets of models that are to be loaded, at most two: the first model of each slot together, then the second ones
 * with that of a slot which has only one.
 */
export function setsOf({ models }: Pick<DesiredModels, 'models'>): readonly NamedModels[] {
  const loaded = models.filter(({ keep }) => keep === 'loaded');
  const inSlot = (slot: ModelSlot) => [
    ...new Set(loaded.filter((model) => slotOf(model) === slot).map(({ revision }) => revision)),
  ];
  const [faces, objects] = [inSlot('face'), inSlot('object')];
  const count = Math.min(MAX_SETS, Math.max(faces.length, objects.length));
  return Array.from({ length: count }, (_, index) => ({
    face: faces[index] ?? faces.at(-1),
    object: objects[index] ?? objects.at(-1),
  }));
}

/**
 * The desired state of every process where the database decides: the active models and beside them the pending one,
 * or else the previous one. Null if no model is active.
 */
export function desiredByRoles(
  { active, pending, previous }: ModelRoles,
  provider: DesiredModels['provider'],
): DesiredModels | null {
  if (active.length === 0) return null;
  const beside = pending.length > 0 ? pending : previous;
  const models = [...active, ...beside].map(({ task, name, revision }): DesiredModel => ({
    task,
    name,
    revision,
    keep: 'loaded',
  }));
  return { provider, models };
}

/** Whether a process reports all desired models and no others: then it knows the desired state. */
export function isSynced(reported: readonly ReportedModel[], { models }: DesiredModels): boolean {
  const desired = new Set(models.map(({ revision }) => revision));
  const known = new Set(reported.map(({ revision }) => revision));
  return known.size === desired.size && [...desired].every((revision) => known.has(revision));
}
