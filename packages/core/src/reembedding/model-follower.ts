import type { AnalyzerStatus } from '../models/analyzer-status.ts';
import type { ActiveModel } from '../models/model.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import { activateModels, type ActivateModelsDeps } from './activate-at-start.ts';

export interface ModelFollowerDeps extends ActivateModelsDeps {
  /** The status of every inference process that can be reached. */
  readonly statuses: (signal: AbortSignal) => Promise<readonly AnalyzerStatus[]>;
}

/** Consecutive polls that have to agree: a process that restarts is away for less. */
const AGREEING_POLLS = 3;

/**
 * Follows an exchange of models in inference processes: once all ready processes run another model, it
 * becomes the active one. Until then, and if they never agree, the previous model stays active, and
 * answers of other models are refused. A task without an active model gets its first at once.
 */
export class ModelFollower {
  readonly #deps: ModelFollowerDeps;
  #candidate = '';
  #agreeing = 0;

  constructor(deps: ModelFollowerDeps) {
    this.#deps = deps;
  }

  /**
   * Polls the processes once; answers the models that became active.
   *
   * @throws StoreUnavailable
   */
  async poll(signal: AbortSignal): Promise<readonly ActiveModel[]> {
    const statuses = (await this.#deps.statuses(signal)).filter(({ ready }) => ready);
    const models = agreed(statuses);
    if (models === null) return this.#forget();
    const active = await this.#deps.modelStore.active(signal);
    const changed = models.filter((model) => !active.some((row) => isSame(row, model)));
    if (changed.length === 0) return this.#forget();
    const isSettled = this.#isSettled(models);
    const due = isSettled
      ? changed
      : changed.filter(({ task }) => !active.some((row) => row.task === task));
    if (due.length > 0) await activateModels(this.#deps, due, signal);
    if (isSettled) this.#forget();
    return due;
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
