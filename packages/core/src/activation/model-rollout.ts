import { backfillStragglers } from '../reembedding/backfill-stragglers.ts';
import { stragglersOf } from '../reembedding/reembeds-for.ts';
import type { ActivationStore, LostActivation } from '../models/activation-store.ts';
import type { AnalyzerStatus } from '../models/analyzer-status.ts';
import type { DeclaredModels } from '../models/declared-models.ts';
import { holdsModel } from '../models/holds-model.ts';
import type { ActiveModel } from '../models/model.ts';
import type { ModelHosts } from '../models/model-hosts.ts';
import type { ModelRegistry } from '../models/model-registry.ts';
import { type ModelSlot, slotOf } from '../models/model-slot.ts';
import type { ModelRoles, ModelStore, RegisteredModel } from '../models/model-store.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import { type Agreement, nextAgreement } from './agreement.ts';
import { rollBack } from './roll-back.ts';
import type { DesiredSlot, RolloutSource, SlotOutcome } from './rollout-source.ts';
import { switchAtOnce } from './switch-at-once.ts';
import { type Attempt, nextAttempt, reasonOf, type SlotState, slotState } from './slot-state.ts';

export interface ModelRolloutDeps {
  readonly source: RolloutSource;
  readonly hosts: Pick<ModelHosts, 'statuses'>;
  readonly models: ModelRegistry;
  readonly modelStore: Pick<ModelStore, 'active' | 'activate' | 'backfill' | 'roles'>;
  readonly activations: Pick<
    ActivationStore,
    | 'begin'
    | 'behindSinceSwitch'
    | 'enrolledBehind'
    | 'allowRetry'
    | 'lost'
    | 'pending'
    | 'recentSwitch'
  >;
  /** Reads the declared models. They get database rows even before a process has downloaded them. */
  readonly declared: Pick<DeclaredModels, 'models'>;
  /** Reads a pack from the model store; null if the store does not have the pack. @throws StoreUnavailable */
  readonly describe: (revision: string, signal: AbortSignal) => Promise<ActiveModel | null>;
  /** A monotonic clock, in ms. */
  readonly now?: () => number;
}

export interface RolloutChanges {
  readonly activated: readonly Pick<ActiveModel, 'task' | 'name' | 'revision'>[];
  /** Why the new model was rolled back; null if no model was rolled back. */
  readonly rolledBack: string | null;
  /** The error that ended the poll after these changes; null if the poll was complete. */
  readonly failure: Error | null;
}

/**
 * Makes the desired models active, or creates jobs that do, and publishes the result. It rolls back a new model whose
 * worker threads die repeatedly. It also creates jobs for faces that were stored with the previous model in the minute
 * after a switch.
 */
export class ModelRollout {
  readonly #deps: ModelRolloutDeps;
  #agreement: Agreement | null = null;
  /** The declared models that are known to have database rows, each as "<pack name> <revision>". */
  readonly #listed = new Set<string>();
  /**
   * The generation of the desired state for which an activation was found to be rolled back or cancelled. An entry is
   * removed once the rollback or cancellation was handled.
   */
  readonly #lostAt = new Map<ModelSlot, number>();
  readonly #attempts = new Map<ModelSlot, Attempt>();

  constructor(deps: ModelRolloutDeps) {
    this.#deps = deps;
  }

  /** @throws StoreUnavailable if the poll failed before its first change; later errors are in `failure` */
  async poll(signal: AbortSignal): Promise<RolloutChanges> {
    const { hosts, models } = this.#deps;
    const statuses = (await hosts.statuses(signal)).filter(({ ready }) => ready);
    const rows = await this.#rowsOf(statuses);
    const rolledBack = await rollBack(this.#deps, statuses);
    const activated: RegisteredModel[] = [];
    const failure = await this.#follow({ statuses, rows, activated }, signal).then(
      () => null,
      (error: unknown) => error as Error,
    );
    if (activated.length > 0 || rolledBack !== null) models.forget();
    return { activated, rolledBack, failure };
  }

  async #follow(poll: Poll, signal: AbortSignal): Promise<void> {
    const { activations, modelStore, source } = this.#deps;
    const { statuses } = poll;
    // This comes before all calls to the cluster, which may not respond, because stragglers are found only for some
    // minutes after a switch.
    await backfillStragglers(this.#deps, await modelStore.active(signal));
    await this.#list(signal);
    this.#agreement = nextAgreement(this.#agreement, statuses);
    const agreement = this.#agreement;
    const [roles, lost] = await Promise.all([modelStore.roles(signal), activations.lost(signal)]);
    const slots = await source.desired({ statuses, roles, agreement });
    const settled: DesiredSlot[] = [];
    for (const desired of slots) {
      if (await this.#step(desired, { ...poll, roles, lost })) settled.push(desired);
    }
    const after = await modelStore.roles(signal);
    const outcomes = await this.#outcomes(settled, after, signal);
    await source.publish({ roles: after, statuses, slots: outcomes }, signal);
  }

  /**
   * @returns false if the desired state has changed since a rollback or cancellation, but the store does not allow
   *   another activation yet; the slot is then not published
   */
  async #step(desired: DesiredSlot, found: Found): Promise<boolean> {
    const { slot } = desired;
    const lost = found.lost.find((one) => one.slot === slot) ?? null;
    this.#noteLoss(desired, lost);
    let state = this.#stateOf(desired, lost, found);
    if (state.kind === 'reset') {
      if (!(await this.#deps.activations.allowRetry(slot))) return false;
      this.#lostAt.delete(slot);
      state = this.#stateOf(desired, null, found);
    }
    if (state.kind !== 'due' && state.kind !== 'due after embedding') return true;
    const { kind, row } = state;
    if (kind === 'due') await switchAtOnce(this.#deps.modelStore, row);
    else if (!(await this.#activateOrBegin(row, desired))) return true;
    found.activated.push(row);
    return true;
  }

  /**
   * Remembers the generation for which a rolled back or cancelled activation was found. This is only needed until the
   * source itself reports the rollback (`rolledBack`).
   */
  #noteLoss({ slot, generation, rolledBack }: DesiredSlot, lost: LostActivation | null): void {
    if (lost === null) this.#lostAt.delete(slot);
    else if (rolledBack === null && !this.#lostAt.has(slot)) this.#lostAt.set(slot, generation);
  }

  #stateOf(desired: DesiredSlot, lost: LostActivation | null, found: Found): SlotState {
    const { slot } = desired;
    const { statuses, rows, roles } = found;
    const revision = desired.model?.revision ?? '';
    return slotState({
      desired,
      active: ofSlot(roles.active, slot),
      isPending: ofSlot(roles.pending, slot) !== null,
      row: rows.find((row) => slotOf(row) === slot && row.revision === revision) ?? null,
      isFound: statuses.some((status) => holdsModel(status, revision)),
      lost,
      lostAt: this.#lostAt.get(slot) ?? null,
      attempt: this.#attempts.get(slot) ?? null,
      now: this.#now(),
    });
  }

  /** @returns true if no enrolled face lacked embeddings, so that the model is active; else a job was created */
  async #activateOrBegin(row: RegisteredModel, desired: DesiredSlot): Promise<boolean> {
    const { modelStore, activations } = this.#deps;
    const noneBehind = { jobsFor: stragglersOf(row), mayBeBehind: 0 };
    if (await modelStore.activate(row.id, noneBehind)) return true;
    const [first] = await activations.enrolledBehind(row.id, { after: null, limit: 1 });
    if (first === undefined) return false;
    const { environmentId } = first;
    const { slot, reembed } = desired;
    await activations.begin({ modelId: row.id, environmentId, reembed, isDeclared: true });
    const before = this.#attempts.get(slot) ?? null;
    this.#attempts.set(slot, nextAttempt(before, desired, this.#now()));
    return false;
  }

  async #outcomes(
    slots: readonly DesiredSlot[],
    { active }: ModelRoles,
    signal: AbortSignal,
  ): Promise<readonly SlotOutcome[]> {
    const { activations } = this.#deps;
    const [pending, lost] = await Promise.all([activations.pending(), activations.lost(signal)]);
    return slots.map(({ slot, generation, model }) => {
      const loss = lost.find((one) => one.slot === slot && one.revision === model?.revision);
      return {
        slot,
        generation,
        active: ofSlot(active, slot),
        reembedding: pending.find((one) => one.slot === slot)?.progress ?? null,
        rolledBack: loss === undefined ? null : reasonOf(loss),
      };
    });
  }

  /** Inserts declared models into the database, so that the API lists them before any process has them. */
  async #list(signal: AbortSignal): Promise<void> {
    const { declared, models } = this.#deps;
    for (const { packName, revision } of await declared.models()) {
      if (revision === null || this.#listed.has(`${packName} ${revision}`)) continue;
      const model = await this.#describe(revision, signal);
      if (model === null) continue;
      await models.of({ ...model, name: packName });
      this.#listed.add(`${packName} ${revision}`);
    }
  }

  async #describe(revision: string, signal: AbortSignal): Promise<ActiveModel | null> {
    try {
      return await this.#deps.describe(revision, signal);
    } catch (error) {
      signal.throwIfAborted();
      // An unavailable model store does not end the poll, because slots can still switch to models that pods have
      // already.
      if (error instanceof StoreUnavailable) return null;
      throw error;
    }
  }

  async #rowsOf(statuses: readonly AnalyzerStatus[]): Promise<readonly RegisteredModel[]> {
    const rows: RegisteredModel[] = [];
    for (const { models, found = [] } of statuses) {
      for (const model of [...models, ...found]) rows.push(await this.#deps.models.of(model));
    }
    return rows;
  }

  #now(): number {
    return this.#deps.now?.() ?? performance.now();
  }
}

interface Poll {
  readonly statuses: readonly AnalyzerStatus[];
  /** The database rows of the models that processes have loaded or on disk. */
  readonly rows: readonly RegisteredModel[];
  /** Collects the models that become active in this poll. */
  readonly activated: RegisteredModel[];
}

interface Found extends Poll {
  readonly roles: ModelRoles;
  readonly lost: readonly LostActivation[];
}

function ofSlot(models: readonly RegisteredModel[], slot: ModelSlot): RegisteredModel | null {
  return models.find((model) => slotOf(model) === slot) ?? null;
}
