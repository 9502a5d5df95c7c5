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

/** A pending model, and all roles at the beginning of its activation. */
export interface PendingModel {
  readonly model: RegisteredModel;
  readonly roles: ModelRoles;
}

/**
 * Resolves once the rollout source reports that a pending model is available and approved, and this process itself
 * finds a host that has loaded the model.
 *
 * @throws ModelLoadFailed if a host cannot load the model, or not in time; InferenceUnavailable if no host responds;
 *   ActivationSuperseded if another model is desired now; StoreUnavailable; the signal's reason on abort
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
      throw new InferenceUnavailable('No inference process responds.');
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
  /** Aborts with ActivationSuperseded once another model is desired. It also aborts with the caller's signal. */
  readonly signal: AbortSignal;
}

/** Polls whether a pending model is still desired, until the result is disposed. */
export function followDesired(
  { source }: AvailabilityDeps,
  { model, roles }: PendingModel,
  signal: AbortSignal,
): FollowedModel {
  const stop = new AbortController();
  const check = () => desiredFor(source, model, { statuses: [], roles, agreement: null });
  const timer = setInterval(() => {
    // Only the answer that another model is desired stops the activation. While the rollout source is unavailable,
    // the model still counts as desired.
    void check().catch((error: unknown) => {
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
    `The route requested ${other} instead of ${model.name} before ${model.name} was active.`,
  );
}

function cannotLoad({ name }: RegisteredModel, message: string): ModelLoadFailed {
  return new ModelLoadFailed(`The model ${name} cannot be loaded: ${message}`);
}
