import { setTimeout } from 'node:timers/promises';
import {
  ActivationSuperseded,
  InferenceUnavailable,
  ModelLoadFailed,
} from '../models/model-errors.ts';
import { holdsModel } from '../models/holds-model.ts';
import type { ModelHosts } from '../models/model-hosts.ts';
import { slotOf } from '../models/model-slot.ts';
import type { ModelRoles, RegisteredModel } from '../models/model-store.ts';
import type { DesiredSlot, Observed, RolloutSource } from './rollout-source.ts';

export interface AvailabilityDeps {
  readonly source: RolloutSource;
  readonly hosts: Pick<ModelHosts, 'statuses'>;
}

const POLL_MS = 250;

/** A pending model, and the roles that made it pending. */
export interface PendingModel {
  readonly model: RegisteredModel;
  readonly roles: ModelRoles;
}

/**
 * Resolves once all processes that are to have a pending model do, this process finds one of them, and the model is
 * approved.
 *
 * @throws ModelLoadFailed if a process cannot load it; InferenceUnavailable while none responds; ActivationSuperseded if
 *   it is not desired any more; StoreUnavailable; the signal's reason on abort
 */
export async function awaitAvailability(
  { source, hosts }: AvailabilityDeps,
  { model, roles }: PendingModel,
  signal: AbortSignal,
): Promise<void> {
  const giveUpAt = performance.now() + source.availableWithinMs;
  await source.publish({ roles, statuses: null, slots: [] }, signal);
  for (;;) {
    const statuses = (await hosts.statuses(signal)).filter(({ ready }) => ready);
    const { availability, isApproved } = await desiredFor(source, model, {
      statuses,
      roles,
      agreement: null,
    });
    if (availability.kind === 'failed') throw cannotLoad(model, availability.message);
    if (availability.kind === 'unreachable') {
      throw new InferenceUnavailable('No process with models answers.');
    }
    const isFound = statuses.some((status) => holdsModel(status, model.revision));
    if (availability.kind === 'available' && isApproved && isFound) return;
    if (performance.now() > giveUpAt) {
      throw new ModelLoadFailed(`The model ${model.name} was not loaded in time.`);
    }
    await setTimeout(POLL_MS, undefined, { signal });
  }
}

export interface FollowedModel extends Disposable {
  /** Aborts with an ActivationSuperseded once the model is not desired any more, and when the caller's signal aborts. */
  readonly signal: AbortSignal;
}

/** Follows whether a pending model is still desired, until it is disposed of. */
export function followDesired(
  { source }: AvailabilityDeps,
  { model, roles }: PendingModel,
  signal: AbortSignal,
): FollowedModel {
  const stop = new AbortController();
  const look = () => desiredFor(source, model, { statuses: [], roles, agreement: null });
  const timer = setInterval(() => {
    // While the source is unavailable, its last desired state counts.
    void look().catch((error: unknown) => {
      if (error instanceof ActivationSuperseded) stop.abort(error);
    });
  }, POLL_MS);
  return {
    signal: AbortSignal.any([signal, stop.signal]),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** @throws ActivationSuperseded if another model is desired */
async function desiredFor(
  source: RolloutSource,
  model: RegisteredModel,
  observed: Observed,
): Promise<DesiredSlot> {
  const desired = (await source.desired(observed)).find(({ slot }) => slot === slotOf(model));
  if (desired?.model?.revision === model.revision) return desired;
  const other = desired?.model?.name ?? 'no model';
  throw new ActivationSuperseded(
    `Before ${model.name} was active, its route requested ${other} instead.`,
  );
}

function cannotLoad({ name }: RegisteredModel, message: string): ModelLoadFailed {
  return new ModelLoadFailed(`The model ${name} cannot be loaded: ${message}`);
}
