import type { AnalyzerStatus } from '../models/analyzer-status.ts';
import type { ActivationStore } from '../models/activation-store.ts';
import type { ActiveModel } from '../models/model.ts';
import type { HostWish, ModelHosts } from '../models/model-hosts.ts';
import { slotOf } from '../models/model-slot.ts';
import type { ModelRoles, ModelStore, RegisteredModel } from '../models/model-store.ts';
import { isTold, wishOf } from '../models/wish-of.ts';
import { activateModels, type ActivateModelsDeps } from './activate-at-start.ts';
import { stragglersOf } from './reembeds-for.ts';

export interface ModelFollowerDeps extends ActivateModelsDeps {
  readonly modelStore: Pick<ModelStore, 'active' | 'activate' | 'bringUp' | 'roles'>;
  readonly activations: Pick<ActivationStore, 'behindSinceSwitch' | 'recentSwitch'>;
  readonly hosts: ModelHosts;
  /** Where models are to run. */
  readonly provider: () => Promise<HostWish['provider']>;
}

/** Consecutive polls that have to agree: a process that restarts is away for less. */
const AGREEING_POLLS = 3;
/** Worker threads that may die with a new model before it gives way to the one before it. */
const MAX_DEATHS = 2;
/** Time after which hosts try again to load what failed, in ms. */
const RETRY_MS = 30_000;

/** What a poll has changed. */
export interface FollowedModels {
  /** Models that became active. */
  readonly activated: readonly ActiveModel[];
  /** Why a new model gave way to the one before it; null: none did. */
  readonly gaveWay: string | null;
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
    const gaveWay = await this.#giveWay(statuses);
    const roles = await modelStore.roles(signal);
    const activated = await this.#activate(statuses, roles, signal);
    if (activated.length > 0 || gaveWay !== null) models.forget();
    await this.#tell(statuses, signal);
    for (const model of roles.active) await this.#bringUp(model);
    return { activated, gaveWay };
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

  async #bringUp(model: RegisteredModel): Promise<void> {
    const { activations, modelStore } = this.#deps;
    if (model.embeddingDim === null) return;
    for (const environmentId of await activations.behindSinceSwitch(model.id)) {
      await modelStore.bringUp({ environmentId, modelId: model.id }, stragglersOf(model));
    }
  }

  async #giveWay(statuses: readonly AnalyzerStatus[]): Promise<string | null> {
    const { activations, modelStore } = this.#deps;
    for (const slot of ['face', 'object'] as const) {
      const recent = await activations.recentSwitch(slot);
      if (recent === null) continue;
      const { active, former } = await modelStore.roles();
      const model = active.find(({ id }) => id === recent.modelId);
      const before = former.find(({ id }) => id === recent.formerId);
      if (model === undefined || before === undefined) continue;
      const deaths = deathsOf(statuses, model);
      if (deaths <= MAX_DEATHS) continue;
      const reason = `${deaths} worker threads died with the model ${model.name} within a minute: ${before.name} answers again.`;
      const embeds = before.embeddingDim !== null;
      const jobsFor = embeds ? stragglersOf(before) : undefined;
      await modelStore.activate(before.id, { jobsFor, gaveWay: reason });
      return reason;
    }
    return null;
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

/** The most that one host has seen. */
function deathsOf(statuses: readonly AnalyzerStatus[], { revision }: RegisteredModel): number {
  const deaths = statuses.map(
    ({ held = [] }) => held.find((one) => one.revision === revision)?.deaths ?? 0,
  );
  return Math.max(0, ...deaths);
}
