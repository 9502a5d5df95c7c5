import type { AnalyzerStatus } from '../analysis/image-analyzer.ts';
import type { NewJob } from '../jobs/job.ts';
import type { JobStore } from '../jobs/job-store.ts';
import type { ActiveModel } from '../models/model.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import { activateModels, type ActivateModelsDeps, planReembedding } from './activate-at-start.ts';

export interface ModelFollowerDeps extends ActivateModelsDeps {
  readonly jobs: Pick<JobStore, 'create' | 'unfinished'>;
  /** The status of every inference process that can be reached. */
  readonly statuses: (signal: AbortSignal) => Promise<readonly AnalyzerStatus[]>;
}

/** Consecutive polls that have to agree: a process that restarts is away for less. */
const AGREEING_POLLS = 3;
/** Longer than any request takes that began with the previous model. */
const SETTLED_MS = 60_000;

/**
 * Follows an exchange of models in inference processes: once all ready processes run another model, it
 * becomes the active one. Until then, and if they never agree, the previous model stays active, and
 * answers of other models are refused. A task without an active model gets its first at once.
 */
export class ModelFollower {
  readonly #deps: ModelFollowerDeps;
  #candidate = '';
  #agreeing = 0;
  #activated: { readonly at: number; readonly models: readonly RegisteredModel[] } | null = null;

  constructor(deps: ModelFollowerDeps) {
    this.#deps = deps;
  }

  /**
   * Polls the processes once; answers the models that became active.
   *
   * @throws StoreUnavailable
   */
  async poll(signal: AbortSignal): Promise<readonly ActiveModel[]> {
    await this.#catchUp(signal);
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
    if (due.length > 0) await this.#activate(due, signal);
    if (isSettled) this.#forget();
    return due;
  }

  async #activate(models: readonly ActiveModel[], signal: AbortSignal): Promise<void> {
    const rows = await activateModels(this.#deps, models, signal);
    // Models that became active less than a minute before still have to be caught up with.
    const earlier = this.#activated?.models.filter(({ id }) => rows.every((row) => row.id !== id));
    this.#activated = { at: performance.now(), models: [...(earlier ?? []), ...rows] };
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

  /** Creates jobs for faces that in-flight requests stored with the previous model. */
  async #catchUp(signal: AbortSignal): Promise<void> {
    if (this.#activated === null || performance.now() - this.#activated.at < SETTLED_MS) return;
    const { jobs } = this.#deps;
    const unfinished = await jobs.unfinished(['reembed']);
    for (const model of this.#activated.models) {
      for (const job of await planReembedding(this.#deps, model, signal)) {
        if (!unfinished.some((other) => isSameWork(other, job))) await jobs.create(job);
      }
    }
    this.#activated = null;
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

function isSameWork(one: NewJob, other: NewJob): boolean {
  return (
    one.environmentId === other.environmentId &&
    one.params.modelId === other.params.modelId &&
    one.params.faces === other.params.faces
  );
}
