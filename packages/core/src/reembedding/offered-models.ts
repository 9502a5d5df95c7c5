import { setTimeout } from 'node:timers/promises';
import { holdsModel } from '../models/holds-model.ts';
import { ActivationSuperseded, ModelLoadFailed } from '../models/model-errors.ts';
import type { ModelHosts } from '../models/model-hosts.ts';
import type { DeclaredRoute, ModelRoutes } from '../models/model-routes.ts';
import { slotOf } from '../models/model-slot.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import type { ComingModels, FollowedWish } from './coming-models.ts';

export interface OfferedModelsDeps {
  readonly routes: Pick<ModelRoutes, 'routes'>;
  readonly hosts: Pick<ModelHosts, 'statuses'>;
}

const POLL_MS = 500;

/** Waits until the processes that a cluster tells what to hold offer the model that its route wants, and it is approved. */
export class OfferedModels implements ComingModels {
  /** The cluster knows what its pods have room for, and an approval may take days: the other slot does not wait for it. */
  readonly isExclusive = false;
  readonly #deps: OfferedModelsDeps;

  constructor(deps: OfferedModelsDeps) {
    this.#deps = deps;
  }

  /** How long that may take is for the route to say. */
  async prepare(model: RegisteredModel, signal: AbortSignal): Promise<void> {
    for (;;) {
      const route = await this.#routeOf(model);
      if (!isWished(route, model)) throw superseded(model, route);
      // A pod that cannot load it any more does not count where others offer it.
      if (!route!.isOffered) requireNoFailure(model, route!);
      else if (isApproved(route!) && (await this.#isHere(model, signal))) return;
      await setTimeout(POLL_MS, undefined, { signal });
    }
  }

  follow(model: RegisteredModel, signal: AbortSignal): FollowedWish {
    const stop = new AbortController();
    const timer = setInterval(() => {
      // While the cluster does not tell, the last wish counts.
      void this.#routeOf(model)
        .then((route) => isWished(route, model) || stop.abort(superseded(model, route)))
        .catch(() => undefined);
    }, POLL_MS);
    return {
      signal: AbortSignal.any([signal, stop.signal]),
      [Symbol.dispose]: () => clearInterval(timer),
    };
  }

  switched(): Promise<void> {
    return Promise.resolve();
  }

  /** Whether this process, too, can find one that holds the model. */
  async #isHere({ revision }: RegisteredModel, signal: AbortSignal): Promise<boolean> {
    const statuses = await this.#deps.hosts.statuses(signal);
    return statuses.some((status) => holdsModel(status, revision));
  }

  async #routeOf(model: RegisteredModel): Promise<DeclaredRoute | undefined> {
    const routes = await this.#deps.routes.routes();
    return routes.find(({ slot }) => slot === slotOf(model));
  }
}

/** @throws ModelLoadFailed */
function requireNoFailure({ name }: RegisteredModel, { wanted }: DeclaredRoute): void {
  const { isOfLoading, isFinal, message } = wanted?.failure ?? {};
  if (isOfLoading !== true && isFinal !== true) return;
  throw new ModelLoadFailed(`The model ${name} cannot be loaded: ${message}`);
}

function isWished(route: DeclaredRoute | undefined, { revision }: RegisteredModel): boolean {
  return route?.wanted?.revision === revision;
}

/** Whether enrolled faces may be embedded with what a route wants. */
export function isApproved({ approved, wanted }: DeclaredRoute): boolean {
  return approved === null || approved.revision === wanted?.revision;
}

function superseded(
  { name }: RegisteredModel,
  route: DeclaredRoute | undefined,
): ActivationSuperseded {
  const wanted = route?.wanted?.name ?? 'no model';
  return new ActivationSuperseded(`Before ${name} was active, its route came to want ${wanted}.`);
}
