import { Backoff } from '@sightline/core/backoff';
import { type DesiredModels, setsOf } from '@sightline/core/models/desired-models';
import type { NamedModels, ReportedModel } from '@sightline/core/models/analyzer-status';
import type { ActiveModel } from '@sightline/core/models/model';
import type { ModelSet } from '../model-set.ts';
import type { PackSource } from '../packs/pack-source.ts';
import type { DesiredSet } from './desired-set.ts';
import { HeldSets, type HeldSetsDeps, type SetChange } from './held-sets.ts';
import { ModelRequests } from './model-requests.ts';
import { NotedPacks, shortOf } from './noted-packs.ts';
import { reportModels } from './report-models.ts';

export interface HeldModelsDeps extends Pick<HeldSetsDeps, 'open' | 'onChange'> {
  readonly source: PackSource;
  /** Decides on which device models run, given the desired device. */
  readonly providerFor: (desired: DesiredModels['provider']) => DesiredSet['provider'];
  /** The pause before the first retry, in ms; default: 5 s. */
  readonly retryMs?: number | undefined;
}

const RETRY_MS = 5_000;
/** The longest pause between retries, as a multiple of the first pause. */
const LONGEST_RETRY = 12;

/**
 * Brings the models of a process to the desired state: fetches them, loads them while other sets
 * answer requests, and releases models that are no longer desired. As long as any model has failed,
 * it retries with exponential backoff.
 */
export class HeldModels {
  readonly sets: HeldSets;
  readonly #deps: HeldModelsDeps;
  readonly #packs: NotedPacks;
  readonly #requests = new ModelRequests();
  readonly #closed = new AbortController();
  #desired: DesiredModels = { provider: 'auto', models: [] };
  readonly #backoff: Backoff;
  #timer: NodeJS.Timeout | null = null;

  constructor(deps: HeldModelsDeps) {
    this.#deps = deps;
    const { retryMs: firstMs = RETRY_MS } = deps;
    this.#backoff = new Backoff({ firstMs, longestMs: LONGEST_RETRY * firstMs, jitter: 0 });
    this.#packs = new NotedPacks(deps.source);
    this.sets = new HeldSets({
      packs: this.#packs,
      open: deps.open,
      onChange: (change) => this.#changed(change),
    });
  }

  get report(): readonly ReportedModel[] {
    return reportModels({
      desired: this.#desired,
      packs: this.#packs,
      sets: this.sets,
      requests: this.#requests,
    });
  }

  get found(): readonly ActiveModel[] {
    return this.#packs.found;
  }

  /** Begins to apply the desired state, and retries failed models at once. */
  hold(desired: DesiredModels): void {
    this.#desired = desired;
    this.#backoff.reset();
    const provider = this.#deps.providerFor(desired.provider);
    this.sets.hold(setsOf(desired).map((names) => ({ ...names, provider })));
    this.#fetchForDisk();
  }

  find(named: NamedModels): ModelSet | null {
    this.#requests.note(named);
    return this.sets.find(named);
  }

  /** Closes the sets like {@link HeldSets.close}. */
  async close(signal?: AbortSignal): Promise<void> {
    this.#closed.abort(new Error('The process is stopping.'));
    clearTimeout(this.#timer ?? undefined);
    this.#packs[Symbol.dispose]();
    await this.sets.close(signal);
  }

  #fetchForDisk(): void {
    for (const { revision, keep } of this.#desired.models) {
      const state = this.#packs.stateOf(revision)?.kind;
      if (keep === 'disk' && state !== 'fetching') void this.#fetch(revision);
    }
  }

  async #fetch(revision: string): Promise<void> {
    const { signal } = this.#closed;
    await this.#packs.get(revision, signal).catch((error: unknown) => {
      if (!signal.aborted) this.#changed({ kind: 'failed', models: [shortOf(revision)], error });
    });
  }

  #changed(change: SetChange): void {
    if (change.kind === 'loaded') this.#backoff.reset();
    if (change.kind === 'failed') this.#retryLater();
    this.#deps.onChange(change);
  }

  #retryLater(): void {
    if (this.#timer !== null || this.#closed.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.sets.retry();
      this.#fetchForDisk();
    }, this.#backoff.next()).unref();
  }
}
