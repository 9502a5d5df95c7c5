import type { AnalyzerStatus } from '../analysis/image-analyzer.ts';
import { activateModels, type ActivateModelsDeps, createReembedJobs } from './activate-at-start.ts';
import type { ActiveModel } from '../models/model.ts';
import type { RegisteredModel } from '../models/model-store.ts';

export interface FollowModelsDeps extends ActivateModelsDeps {
  /** What every inference process that can be reached says of itself. */
  readonly statuses: (signal: AbortSignal) => Promise<readonly AnalyzerStatus[]>;
}

/** In so many looks in a row all have to agree: a process that restarts is gone for less. */
const LOOKS = 3;
/** Longer than any request takes that began with the model before. */
const SETTLED_MS = 60_000;

/**
 * Follows an exchange of models in inference processes: once all that are ready run another model, it
 * becomes the active one. Until then, and where they never agree, the one before stays, and what
 * another one answers is refused. A task that has no active model yet gets its first at once.
 */
export class ModelFollower {
  readonly #deps: FollowModelsDeps;
  #candidate = '';
  #looks = 0;
  #activated: { readonly at: number; readonly models: readonly RegisteredModel[] } | null = null;

  constructor(deps: FollowModelsDeps) {
    this.#deps = deps;
  }

  /**
   * Looks once; answers the models that it made active.
   *
   * @throws StoreUnavailable
   */
  async look(signal: AbortSignal): Promise<readonly ActiveModel[]> {
    await this.#catchUp(signal);
    const statuses = (await this.#deps.statuses(signal)).filter(({ ready }) => ready);
    const models = agreed(statuses);
    if (models === null) return this.#forget();
    const active = await this.#deps.modelStore.active(signal);
    const changed = models.filter((model) => !active.some((row) => isSame(row, model)));
    if (changed.length === 0) return this.#forget();
    const isFirst = changed.some(({ task }) => !active.some((row) => row.task === task));
    if (!isFirst && !this.#isSettled(changed)) return [];
    const rows = await activateModels(this.#deps, changed, signal);
    this.#activated = { at: performance.now(), models: rows };
    this.#forget();
    return changed;
  }

  #forget(): readonly ActiveModel[] {
    this.#looks = 0;
    return [];
  }

  #isSettled(changed: readonly ActiveModel[]): boolean {
    const candidate = nameOf(changed);
    this.#looks = candidate === this.#candidate ? this.#looks + 1 : 1;
    this.#candidate = candidate;
    return this.#looks >= LOOKS;
  }

  /** Faces that were stored with the model before, by requests that were under way, get their jobs. */
  async #catchUp(signal: AbortSignal): Promise<void> {
    if (this.#activated === null || performance.now() - this.#activated.at < SETTLED_MS) return;
    for (const model of this.#activated.models) await createReembedJobs(this.#deps, model, signal);
    this.#activated = null;
  }
}

/** The models that all of them run; null if they differ, or there is nobody to ask. */
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

function isSame(row: ActiveModel, model: ActiveModel): boolean {
  return row.task === model.task && row.name === model.name && row.revision === model.revision;
}
