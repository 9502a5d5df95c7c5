import type { AnalyzerStatus } from '../models/analyzer-status.ts';
import { desiredByRoles, type DesiredModels, isSynced } from '../models/desired-models.ts';
import type { ActiveModel } from '../models/model.ts';
import type { ModelHosts } from '../models/model-hosts.ts';
import { slotOf } from '../models/model-slot.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import { isSettled } from './agreement.ts';
import type {
  Availability,
  DesiredSlot,
  Observed,
  Published,
  RolloutSource,
} from './rollout-source.ts';

export interface DatabaseSourceDeps {
  readonly hosts: Pick<ModelHosts, 'hold'>;
  readonly provider: () => Promise<DesiredModels['provider']>;
}

/** The timeout for a model to become available. It is long because hosts may download hundreds of megabytes. */
const AVAILABLE_WITHIN_MS = 15 * 60_000;

/**
 * Derives the desired models from the database: the pending model of a slot, or else the active model. If a slot has
 * neither, or no process can obtain its active model, the model that all processes run is desired. Hosts receive their
 * desired models by `PUT`.
 */
export class DatabaseSource implements RolloutSource {
  /** A host loads at most two sets of models, so only one activation at a time has room for its model. */
  readonly isExclusive = true;
  readonly availableWithinMs = AVAILABLE_WITHIN_MS;
  readonly #deps: DatabaseSourceDeps;
  /** The desired models that were last sent to the hosts, as JSON. */
  #published = '';

  constructor(deps: DatabaseSourceDeps) {
    this.#deps = deps;
  }

  desired(observed: Observed): Promise<readonly DesiredSlot[]> {
    return Promise.resolve(
      (['face', 'object'] as const).map((slot): DesiredSlot => {
        const [pending, active] = [observed.roles.pending, observed.roles.active].map((models) =>
          models.find((model) => slotOf(model) === slot),
        );
        const found = observed.agreement?.models.find((model) => slotOf(model) === slot);
        const isDue =
          pending === undefined && found !== undefined && replaces(found, active, observed);
        const model = pending ?? (isDue ? found : active) ?? null;
        return {
          slot,
          generation: 0,
          model,
          availability: model === null ? { kind: 'unavailable' } : availability(model, observed),
          isApproved: true,
          // The switch waits for embeddings, except if no process can load the active model, because faces cannot be
          // matched then anyway.
          reembed: isDue ? 'after' : 'before',
          rolledBack: null,
        };
      }),
    );
  }

  async publish({ roles, statuses }: Published, signal: AbortSignal): Promise<void> {
    const { hosts, provider } = this.#deps;
    const desired = desiredByRoles(roles, await provider());
    if (desired === null) return;
    const text = JSON.stringify(desired);
    const isKnown =
      this.#published === text && statuses?.every(({ report }) => isSynced(report, desired));
    if (isKnown === true) return;
    await hosts.hold(desired, signal);
    this.#published = text;
  }
}

/** Whether the model that all processes run should replace the active one. */
function replaces(
  found: ActiveModel,
  active: RegisteredModel | undefined,
  { agreement, statuses }: Observed,
): boolean {
  if (active === undefined) return true;
  if (active.name === found.name && active.revision === found.revision) return false;
  return isSettled(agreement) && statuses.every((one) => lacks(one, active));
}

/** Whether a host failed to download or load a model. */
function lacks({ report }: AnalyzerStatus, { revision }: RegisteredModel): boolean {
  return report.some((one) => one.revision === revision && one.state === 'failed');
}

function availability(
  { revision }: Pick<ActiveModel, 'revision'>,
  { statuses }: Observed,
): Availability {
  if (statuses.length === 0) return { kind: 'unreachable' };
  const reports = statuses.map(({ report }) => report.find((one) => one.revision === revision));
  const failed = reports.find((one) => one?.state === 'failed');
  if (failed !== undefined) return { kind: 'failed', message: failed.error?.message ?? '' };
  const isWarm = reports.every((one) => one?.state === 'warm');
  return { kind: isWarm ? 'available' : 'unavailable' };
}
