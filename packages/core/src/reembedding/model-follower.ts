import type { AnalyzerStatus } from '../models/analyzer-status.ts';
import type { ActiveModel } from '../models/model.ts';
import type { HostWish, ModelHosts } from '../models/model-hosts.ts';
import { slotOf } from '../models/model-slot.ts';
import type { ModelRoles, ModelStore, RegisteredModel } from '../models/model-store.ts';
import { isTold, wishOf } from '../models/wish-of.ts';
import { activateModels, type ActivateModelsDeps } from './activate-at-start.ts';
import { type AfterSwitchDeps, bringUpStragglers, giveWay } from './after-switch.ts';

export interface ModelFollowerDeps extends ActivateModelsDeps, AfterSwitchDeps {
  readonly modelStore: Pick<ModelStore, 'active' | 'activate' | 'bringUp' | 'roles'>;
  readonly hosts: ModelHosts;
  /** Where models are to run. */
  readonly provider: () => Promise<HostWish['provider']>;
}

/** Consecutive polls that have to agree: a process that restarts is away for less. */
const AGREEING_POLLS = 3;
/** Time after which hosts try again to load what failed, in ms. */
const RETRY_MS = 30_000;

/** What a poll has changed. */
export interface FollowedModels {
  /** Models that became active. */
  readonly activated: readonly ActiveModel[];
  /** Why a new model gave way to the one before it; null: none did. */
  readonly gaveWay: string | null;
  /** What kept the poll from going on after that; null: nothing did. */
  readonly failure: Error | null;
}

/**
 * Keeps hosts and the database in agreement: tells hosts what to hold, gives each slot its first model, and
 * brings up what was stored with a model in the minute after it was replaced. A new model whose worker
 * threads die again and again in that minute gives way to the one before it. Where no host can get the
 * active model any more, that which all of them run takes its place.
 */
export class ModelFollower {
  readonly #deps: ModelFollowerDeps;
  #candidate = '';
  #agreeing = 0;
  #toldAt = -Infinity;

  constructor(deps: ModelFollowerDeps) {
    this.#deps = deps;
  }

  /** @throws StoreUnavailable */
  async poll(signal: AbortSignal): Promise<FollowedModels> {
    const { hosts, models, modelStore } = this.#deps;
    const statuses = (await hosts.statuses(signal)).filter(({ ready }) => ready);
    for (const { models: running, found = [] } of statuses) {
      for (const model of [...running, ...found]) await models.of(model);
    }
    const gaveWay = await giveWay(this.#deps, statuses);
    const roles = await modelStore.roles(signal);
    const activated = await this.#activate(statuses, roles, signal);
    if (activated.length > 0 || gaveWay !== null) models.forget();
    await this.#tell(statuses, signal);
    await bringUpStragglers(this.#deps, roles.active);
    return { activated, gaveWay, failure: null };
  }

  async #activate(
    statuses: readonly AnalyzerStatus[],
    { active }: ModelRoles,
    signal: AbortSignal,
  ): Promise<readonly ActiveModel[]> {
    const running = agreed(statuses);
    if (running === null) return this.#forget();
    const changed = running.filter((model) => !active.some((row) => isSame(row, model)));
    if (changed.length === 0) return this.#forget();
    const isSettled = this.#isSettled(running);
    const due = changed.filter((model) => {
      const row = active.find((one) => slotOf(one) === slotOf(model));
      return row === undefined || (isSettled && statuses.every((one) => cannotHave(one, row)));
    });
    if (due.length > 0) await activateModels(this.#deps, due, signal);
    if (isSettled) this.#forget();
    return due;
  }

  async #tell(statuses: readonly AnalyzerStatus[], signal: AbortSignal): Promise<void> {
    const { hosts, modelStore, provider } = this.#deps;
    const wish = wishOf(await modelStore.roles(signal), await provider());
    if (wish === null) return;
    const told = statuses.filter(({ held }) => held !== undefined);
    const hasFailed = told.some(({ held }) => held!.some(({ state }) => state === 'failed'));
    const isDue = hasFailed && performance.now() - this.#toldAt > RETRY_MS;
    if (!isDue && told.every((one) => isFulfilled(one, wish))) return;
    this.#toldAt = performance.now();
    await hosts.hold(wish, signal);
  }

  #forget(): readonly ActiveModel[] {
    this.#agreeing = 0;
    return [];
  }

  #isSettled(models: readonly ActiveModel[]): boolean {
    const candidate = nameOf(models);
    this.#agreeing = candidate === this.#candidate ? this.#agreeing + 1 : 1;
    this.#candidate = candidate;
    return this.#agreeing >= AGREEING_POLLS;
  }
}

/** The models that all processes run; null if they differ, or no process is ready. */
function agreed(statuses: readonly AnalyzerStatus[]): readonly ActiveModel[] | null {
  const names = new Set(statuses.map(({ models }) => nameOf(models)));
  return names.size === 1 ? statuses[0]!.models : null;
}

function nameOf(models: readonly ActiveModel[]): string {
  return models
    .map(({ task, name, revision }) => `${task} ${name} ${revision}`)
    .sort()
    .join(', ');
}

function isSame(row: RegisteredModel, model: ActiveModel): boolean {
  return row.task === model.task && row.name === model.name && row.revision === model.revision;
}

/** Whether a host has tried to get a model in vain. One of an older release cannot be told to. */
function cannotHave({ models, held }: AnalyzerStatus, { revision }: RegisteredModel): boolean {
  return held === undefined
    ? models.every((one) => one.revision !== revision)
    : held.some((one) => one.revision === revision && one.state === 'failed');
}

function isFulfilled({ models, held }: AnalyzerStatus, wish: HostWish): boolean {
  const { face, object } = wish.sets[0]!;
  const runs = (revision: string | undefined) =>
    revision === undefined || models.some((model) => model.revision === revision);
  return isTold(held!, wish) && runs(face) && runs(object);
}
