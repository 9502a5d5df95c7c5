import type { ActivationStore, LostWish } from '../models/activation-store.ts';
import type { AnalyzerStatus } from '../models/analyzer-status.ts';
import { holdsModel } from '../models/holds-model.ts';
import type { ActiveModel } from '../models/model.ts';
import type { ModelHosts } from '../models/model-hosts.ts';
import type { DeclaredRoute, ModelRoutes } from '../models/model-routes.ts';
import { type ModelSlot, slotOf } from '../models/model-slot.ts';
import type { ModelRoles, ModelStore, RegisteredModel } from '../models/model-store.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import { activateModels, type ActivateModelsDeps } from './activate-at-start.ts';
import { type AfterSwitchDeps, bringUpStragglers, giveWay } from './after-switch.ts';
import type { FollowedModels } from './model-follower.ts';
import { isApproved } from './offered-models.ts';
import { reembedsFor, stragglersOf } from './reembeds-for.ts';

export interface RouteFollowerDeps extends ActivateModelsDeps, AfterSwitchDeps {
  readonly routes: ModelRoutes;
  readonly modelStore: Pick<ModelStore, 'active' | 'activate' | 'bringUp' | 'roles'>;
  readonly activations: AfterSwitchDeps['activations'] &
    Pick<ActivationStore, 'begin' | 'pending' | 'enrolledBehind' | 'forgive' | 'lost'>;
  readonly hosts: Pick<ModelHosts, 'statuses'>;
  /** What is to be known of a pack in the store of models; null: it is not there. @throws StoreUnavailable */
  readonly describe: (revision: string, signal: AbortSignal) => Promise<ActiveModel | null>;
  /** A monotonic clock, in ms. */
  readonly now?: () => number;
}

/**
 * A job of a wish that has failed is begun anew after so long, and then after twice as long each time: each of them is a
 * row, and looks through all faces.
 */
const RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 600_000;

/**
 * Carries what the routes of a cluster want into the database, once it is offered, and tells the routes what the
 * database says. It tells no process what to hold: the cluster does. A new model whose worker threads die again and
 * again gives way to the one before it. Neither that nor a wish whose job was cancelled is tried again until the route
 * changes.
 */
export class RouteFollower {
  readonly #deps: RouteFollowerDeps;
  /** Declared models that have rows. */
  readonly #known = new Set<string>();
  /** Generations of the routes of which a loss was found that is not reported yet. */
  readonly #lossOf = new Map<ModelSlot, number>();
  /** The last job of each slot that was begun here. */
  readonly #begun = new Map<ModelSlot, BegunJob>();

  constructor(deps: RouteFollowerDeps) {
    this.#deps = deps;
  }

  /** @throws StoreUnavailable before anything has changed */
  async poll(signal: AbortSignal): Promise<FollowedModels> {
    const { hosts, models } = this.#deps;
    const statuses = (await hosts.statuses(signal)).filter(({ ready }) => ready);
    const rows = await this.#rowsOf(statuses);
    const gaveWay = await giveWay(this.#deps, statuses);
    const activated: ActiveModel[] = [];
    const failure = await this.#follow({ statuses, rows, activated }, signal).then(
      () => null,
      (error: unknown) => error as Error,
    );
    if (activated.length > 0 || gaveWay !== null) models.forget();
    return { activated, gaveWay, failure };
  }

  async #follow({ statuses, rows, activated }: Found, signal: AbortSignal): Promise<void> {
    const { modelStore, routes, activations } = this.#deps;
    // Some minutes after the switch no process looks any more: a cluster that does not tell must not stand in its way.
    await bringUpStragglers(this.#deps, await modelStore.active(signal));
    await this.#register(signal);
    const declared = await this.#openRoutes(await routes.routes());
    const [before, lost] = await Promise.all([modelStore.roles(signal), activations.lost(signal)]);
    for (const route of declared) {
      if (!isDue(route, before, lost)) continue;
      const revision = route.wanted!.revision!;
      const row = rows.get(revision);
      // This process cannot find one that holds it.
      if (!statuses.some((status) => holdsModel(status, revision))) continue;
      if (row !== undefined && (await this.#carry(row, route, before))) activated.push(row.model);
    }
    await this.#report(declared, await modelStore.active(signal), signal);
  }

  /** Gives declared models rows, so that they are listed before any process holds them. */
  async #register(signal: AbortSignal): Promise<void> {
    const { routes, models } = this.#deps;
    for (const { packName, revision } of await routes.models()) {
      if (revision === null || this.#known.has(`${packName} ${revision}`)) continue;
      const model = await this.#describe(revision, signal);
      if (model === null) continue;
      await models.of({ ...model, name: packName });
      this.#known.add(`${packName} ${revision}`);
    }
  }

  async #describe(revision: string, signal: AbortSignal): Promise<ActiveModel | null> {
    try {
      return await this.#deps.describe(revision, signal);
    } catch (error) {
      signal.throwIfAborted();
      // A store of models that is away does not keep a slot from switching to what pods hold.
      if (error instanceof StoreUnavailable) return null;
      throw error;
    }
  }

  /** Routes but those whose last wish gave way a moment ago and which came to want something since: it has to wait. */
  async #openRoutes(declared: readonly DeclaredRoute[]): Promise<readonly DeclaredRoute[]> {
    const { activations } = this.#deps;
    const lost = new Set((await activations.lost()).map(({ slot }) => slot));
    const open: DeclaredRoute[] = [];
    for (const route of declared) {
      const { slot } = route;
      const isChanged = lost.has(slot) && this.#isChanged(route);
      const hasToWait = isChanged && !(await activations.forgive(slot));
      if (!hasToWait) open.push(route);
      if (!lost.has(slot) || (isChanged && !hasToWait)) this.#lossOf.delete(slot);
    }
    return open;
  }

  /** Whether a route wants something since a loss. While that is not reported, this process alone knows whose it was. */
  #isChanged({ slot, generation, gaveWay }: DeclaredRoute): boolean {
    if (gaveWay !== null) return gaveWay === 'previous';
    const lostAt = this.#lossOf.get(slot) ?? generation;
    this.#lossOf.set(slot, lostAt);
    return lostAt !== generation;
  }

  async #rowsOf(statuses: readonly AnalyzerStatus[]): Promise<ReadonlyMap<string, FoundRow>> {
    const rows = new Map<string, FoundRow>();
    for (const { models, found = [] } of statuses) {
      for (const model of [...models, ...found]) {
        rows.set(model.revision, { model, row: await this.#deps.models.of(model) });
      }
    }
    return rows;
  }

  /** @returns whether the model is active now; else a job makes it so */
  async #carry(
    { model, row }: FoundRow,
    route: DeclaredRoute,
    { active }: ModelRoles,
  ): Promise<boolean> {
    const { modelStore, activations } = this.#deps;
    if (active.every((one) => slotOf(one) !== slotOf(row))) {
      await activateModels(this.#deps, [model]);
      return true;
    }
    if (row.embeddingDim === null) return modelStore.activate(row.id);
    if (route.reembed === 'after')
      return modelStore.activate(row.id, { jobsFor: reembedsFor(row) });
    if (this.#hasToRest(route)) return false;
    const noneBehind = { jobsFor: stragglersOf(row), mayBeBehind: 0 };
    if (await modelStore.activate(row.id, noneBehind)) return true;
    const [first] = await activations.enrolledBehind(row.id, { after: null, limit: 1 });
    if (first === undefined) return false;
    await activations.begin({
      modelId: row.id,
      environmentId: first.environmentId,
      reembed: route.reembed,
      isDeclared: true,
    });
    this.#noteBegun(route);
    return false;
  }

  #noteBegun({ slot, generation }: DeclaredRoute): void {
    const before = this.#begun.get(slot);
    const pause =
      before?.generation === generation ? Math.min(2 * before.pause, LONGEST_RETRY_MS) : RETRY_MS;
    this.#begun.set(slot, { generation, at: this.#now(), pause });
  }

  /** Whether a job of this very wish was begun a moment ago: it is over, and has changed nothing. */
  #hasToRest({ slot, generation }: DeclaredRoute): boolean {
    const begun = this.#begun.get(slot);
    return begun?.generation === generation && this.#now() < begun.at + begun.pause;
  }

  #now(): number {
    return this.#deps.now?.() ?? performance.now();
  }

  async #report(
    declared: readonly DeclaredRoute[],
    active: readonly RegisteredModel[],
    signal: AbortSignal,
  ): Promise<void> {
    const { activations, routes } = this.#deps;
    const [pending, lost] = await Promise.all([activations.pending(), activations.lost(signal)]);
    // What one route cannot be told keeps the other from nothing.
    const reports = await Promise.allSettled(
      declared.map((route) => {
        const { slot, generation } = route;
        const facts = {
          slot,
          generation,
          active: active.find((model) => slotOf(model) === slot) ?? null,
          reembedding: pending.find((one) => one.slot === slot)?.progress ?? null,
          gaveWay: whyLost(route, lost),
        };
        return routes.report(facts, signal);
      }),
    );
    for (const report of reports) if (report.status === 'rejected') throw report.reason;
  }
}

interface Found {
  readonly statuses: readonly AnalyzerStatus[];
  /** By revision. */
  readonly rows: ReadonlyMap<string, FoundRow>;
  /** Takes the models that become active. */
  readonly activated: ActiveModel[];
}

interface BegunJob {
  readonly generation: number;
  readonly at: number;
  /** How long after its begin another one may be begun, in ms. */
  readonly pause: number;
}

interface FoundRow {
  readonly model: ActiveModel;
  readonly row: RegisteredModel;
}

/** Whether what a route wants is to become the active model now. */
export function isDue(
  route: DeclaredRoute,
  { active, pending }: ModelRoles,
  lost: readonly LostWish[],
): boolean {
  const { slot, wanted, isOffered } = route;
  if (wanted?.revision == null || !isOffered) return false;
  const now = active.find((model) => slotOf(model) === slot);
  if (now?.revision === wanted.revision) return false;
  if (pending.some((model) => slotOf(model) === slot)) return false;
  if (whyLost(route, lost) !== null) return false;
  // Where nothing answers there is nothing to embed anew.
  return now === undefined || isApproved(route);
}

const CANCELLED =
  'Its activation was cancelled: it is tried again once the route changes, or the API is asked for it.';

/** Why this wish is not tried again, in a sentence; null: it may be. */
function whyLost({ slot, wanted }: DeclaredRoute, lost: readonly LostWish[]): string | null {
  const loss = lost.find((one) => one.slot === slot && one.revision === wanted?.revision);
  return loss === undefined ? null : (loss.reason ?? CANCELLED);
}
