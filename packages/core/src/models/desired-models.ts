import type { NamedModels, ReportedModel } from './analyzer-status.ts';
import type { ModelTask } from './model.ts';
import { type ModelSlot, slotOf } from './model-slot.ts';
import type { ModelRoles } from './model-store.ts';

/** A model that a process should load, or keep on its disk. */
export interface DesiredModel {
  readonly task: ModelTask;
  /** The name of the model's pack, for reports; absent if only the revision is known. */
  readonly name?: string | undefined;
  readonly revision: string;
  /** `loaded`: the model serves requests. `disk`: only its files are on the disk of the process. */
  readonly keep: 'loaded' | 'disk';
}

/** The desired state of a process that runs models, as a serving file or the body of `PUT /v1/models` contains it. */
export interface DesiredModels {
  /** The device that runs the models. `auto` selects a GPU if the process has one. */
  readonly provider: 'auto' | 'cpu';
  /** The models in order of preference. The first model of each slot serves requests that name no model. */
  readonly models: readonly DesiredModel[];
}

/** The number of sets of models that a process keeps loaded at the same time. */
const MAX_SETS = 2;

/**
 * At most two sets of models to load. The first set contains the first model of each slot. The second set contains the
 * second model of each slot, or the first one if the slot has no second model.
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
 * The desired state of every process, if the database decides about models: the active models and the pending ones. If
 * no model is pending, the previous models stay loaded. Null if no model is active.
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

/** Whether a process has received the desired state: it then reports all desired models and no others. */
export function isSynced(reported: readonly ReportedModel[], { models }: DesiredModels): boolean {
  const desired = new Set(models.map(({ revision }) => revision));
  const known = new Set(reported.map(({ revision }) => revision));
  return known.size === desired.size && [...desired].every((revision) => known.has(revision));
}
