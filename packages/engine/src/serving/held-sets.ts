import type { NamedModels } from '@sightline/core/models/analyzer-status';
import { DomainError } from '@sightline/core/domain-error';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import type { ModelSet } from '../model-set.ts';
import type { ModelPack } from '../packs/manifest.ts';
import { type DesiredSet, hasAll, isSameSet, revisionsOf } from './desired-set.ts';
import { type NotedPacks, shortOf } from './noted-packs.ts';
import {
  fulfills,
  inPreference,
  nextStep,
  type Partition,
  SET_LIFE,
  type SetEvent,
  type SetFacts,
  type SetState,
  type SetStep,
} from './set-life.ts';

/**
 * How long a released set may take to finish its last analyses, in ms. No caller waits this long for an analysis, so
 * one that still runs then has hung.
 */
const RELEASE_TIMEOUT_MS = 360_000;

/** A set of models was loaded, failed to load, or ended. */
export type SetChange =
  | {
      readonly kind: 'loaded';
      readonly models: readonly string[];
      readonly milliseconds: number;
      readonly set: Pick<ModelSet, 'provider' | 'fallbackReason'>;
    }
  | { readonly kind: 'failed'; readonly models: readonly string[]; readonly error: unknown }
  | { readonly kind: 'released'; readonly models: readonly string[] };

interface SetPacks {
  readonly face: ModelPack | null;
  readonly object: ModelPack | null;
}

export interface OpenSetOptions extends Pick<DesiredSet, 'provider'>, SetPacks {
  readonly partition: Partition;
  /** Whether another set answers requests while this set is loaded. */
  readonly isBeside: boolean;
  readonly signal: AbortSignal;
}

export interface HeldSetsDeps {
  readonly packs: Pick<NotedPacks, 'get'>;
  /** Loads and warms models in a partition that no other set uses. Throws ModelLoadFailed. */
  readonly open: (options: OpenSetOptions) => Promise<ModelSet>;
  readonly onChange: (change: SetChange) => void;
}

/** A set, and the resources of its current state. */
class HeldSet implements SetFacts {
  readonly desired: DesiredSet;
  readonly stop = new AbortController();
  state: SetState = 'desired';
  partition: Partition | null = null;
  packs: SetPacks = { face: null, object: null };
  /** The loaded models; null until the set is warm. */
  loaded: ModelSet | null = null;
  /** The reason of the failure; null unless the set failed. */
  error: ModelLoadFailed | null = null;

  constructor(desired: DesiredSet) {
    this.desired = desired;
  }
}

/**
 * Loads and releases sets of models until the desired sets are warm. {@link SET_LIFE} defines the
 * states of a set, and {@link nextStep} defines the order of the steps.
 */
export class HeldSets {
  readonly #deps: HeldSetsDeps;
  #sets: readonly HeldSet[] = [];
  #desired: readonly DesiredSet[] = [];
  #isClosed = false;
  #changed = Promise.withResolvers<undefined>();

  constructor(deps: HeldSetsDeps) {
    this.#deps = deps;
  }

  /** The warm sets in order of preference. The first set answers requests that name no models. */
  get warm(): readonly ModelSet[] {
    return inPreference(this.#sets, this.#desired).map(({ loaded }) => loaded!);
  }

  /** The sets that are warm, or that still answer their last requests. */
  get all(): readonly ModelSet[] {
    return this.#sets.flatMap(({ loaded }) => loaded ?? []);
  }

  find(named: NamedModels): ModelSet | null {
    return this.warm.find(({ models }) => hasAll(models, named)) ?? null;
  }

  /** The reason why a desired set could not be loaded; null if no set failed. */
  get error(): ModelLoadFailed | null {
    return this.#sets.find(({ error }) => error !== null)?.error ?? null;
  }

  /**
   * Returns the reason why a desired set with this model could not be loaded, or null if no such
   * set failed.
   */
  errorOf(revision: string): ModelLoadFailed | null {
    const withModel = this.#sets.filter(({ desired }) => revisionsOf(desired).includes(revision));
    return withModel.find(({ error }) => error !== null)?.error ?? null;
  }

  /**
   * Begins to load the desired sets, in order of preference, and retries failed sets. An empty list
   * keeps the previous desired sets.
   */
  hold(desired: readonly DesiredSet[]): void {
    if (desired.length > 0) this.#desired = desired;
    this.retry();
  }

  /** Loads failed sets again. */
  retry(): void {
    for (const set of this.#sets) this.#apply(set, 'retry');
    for (const desired of this.#desired) if (!this.#has(desired)) this.#add(new HeldSet(desired));
    this.#advance();
  }

  /**
   * Resolves when no desired set is waiting or being loaded.
   *
   * @throws the signal's reason on abort
   */
  async settled(signal?: AbortSignal): Promise<void> {
    while (this.#sets.some(({ state }) => SETTLING.includes(state))) {
      await orAbort(this.#changed.promise, signal);
    }
  }

  /**
   * Resolves when a set is warm.
   *
   * @throws the signal's reason on abort
   */
  async firstWarm(signal: AbortSignal): Promise<void> {
    while (this.warm.length === 0) await orAbort(this.#changed.promise, signal);
  }

  /**
   * Rejects further requests, and ends each set after its last request or when the signal aborts.
   */
  async close(signal?: AbortSignal): Promise<void> {
    this.#isClosed = true;
    this.#desired = [];
    this.#advance();
    await Promise.all(this.all.map(({ pool }) => pool.close(signal)));
    // Threads that are loading models end by themselves, but this method waits for them only until the signal aborts.
    await orAbort(this.#ended(), signal).catch(() => undefined);
  }

  async #ended(): Promise<void> {
    while (this.#sets.length > 0) await this.#changed.promise;
  }

  #has(desired: DesiredSet): boolean {
    return this.#sets.some((set) => {
      if (set.state === 'draining' || set.state === 'aborting') return false;
      return set.state === 'warm' ? fulfills(set, desired) : isSameSet(set.desired, desired);
    });
  }

  #add(set: HeldSet): void {
    this.#sets = [...this.#sets, set];
  }

  /** @returns whether the event changed the set */
  #apply(set: HeldSet, event: SetEvent): boolean {
    const next = SET_LIFE[set.state][event];
    if (next === undefined) return false;
    if (next === 'removed') this.#sets = this.#sets.filter((other) => other !== set);
    else set.state = next;
    if (next !== 'failed') set.error = null;
    return true;
  }

  #advance(): void {
    for (;;) {
      const step = this.#isClosed ? this.#stepOfClosed() : nextStep(this.#sets, this.#desired);
      if (step === null) break;
      this.#take(step);
    }
    const changed = this.#changed;
    this.#changed = Promise.withResolvers();
    changed.resolve(undefined);
  }

  #stepOfClosed(): SetStep<HeldSet> | null {
    const set = this.#sets.find(({ state }) => SET_LIFE[state].drop !== undefined);
    return set === undefined ? null : { kind: 'drop', set };
  }

  #take(step: SetStep<HeldSet>): void {
    const { set } = step;
    switch (step.kind) {
      case 'fetch':
        this.#apply(set, 'fetch');
        void this.#fetch(set);
        return;
      case 'load':
        this.#apply(set, 'load');
        set.partition = step.partition;
        void this.#load(set, step.partition);
        return;
      case 'drop':
        this.#apply(set, 'drop');
        if (set.state === 'aborting')
          set.stop.abort(new Error('The load was aborted, because other models are desired now.'));
        if (set.state === 'draining') void this.#drain(set);
    }
  }

  async #fetch(set: HeldSet): Promise<void> {
    const { face, object } = set.desired;
    const { signal } = set.stop;
    const get = (revision: string | undefined) =>
      revision === undefined ? Promise.resolve(null) : this.#deps.packs.get(revision, signal);
    await this.#work(set, 'fetched', async () => {
      set.packs = { face: await get(face), object: await get(object) };
    });
  }

  async #load(set: HeldSet, partition: Partition): Promise<void> {
    const began = performance.now();
    const { packs, stop, desired } = set;
    await this.#work(set, 'loaded', async () => {
      const isBeside = this.warm.length > 0;
      const { provider } = desired;
      const { signal } = stop;
      set.loaded = await this.#deps.open({ ...packs, provider, partition, isBeside, signal });
      const milliseconds = performance.now() - began;
      const models = namesOf(set.loaded);
      this.#deps.onChange({ kind: 'loaded', models, milliseconds, set: set.loaded });
    });
  }

  /** Does the work of a state, and then takes the next steps. */
  async #work(set: HeldSet, event: SetEvent, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#apply(set, event);
    } catch (error) {
      set.partition = null;
      this.#apply(set, 'fail');
      if (set.state === 'failed') this.#noteFailure(set, error);
    }
    this.#advance();
  }

  #noteFailure(set: HeldSet, error: unknown): void {
    set.error = asLoadFailure(error);
    const { face, object } = set.packs;
    const known = [face, object].filter((pack) => pack !== null);
    const models = revisionsOf(set.desired).map(
      (revision) =>
        known.find((pack) => pack.revision === revision)?.manifest.name ?? shortOf(revision),
    );
    this.#deps.onChange({ kind: 'failed', models, error });
  }

  async #drain(set: HeldSet): Promise<void> {
    const { pool } = set.loaded!;
    await pool.close(AbortSignal.timeout(RELEASE_TIMEOUT_MS));
    this.#deps.onChange({ kind: 'released', models: namesOf(set.loaded!) });
    this.#apply(set, 'end');
    this.#advance();
  }
}

const SETTLING: readonly SetState[] = ['desired', 'fetching', 'fetched', 'loading', 'aborting'];

function namesOf({ models }: ModelSet): readonly string[] {
  return models.map(({ name }) => name);
}

function asLoadFailure(error: unknown): ModelLoadFailed {
  if (error instanceof ModelLoadFailed) return error;
  const reason = error instanceof DomainError ? error.message : 'an unexpected error occurred';
  return new ModelLoadFailed(`The model cannot be loaded: ${reason}`, {}, { cause: error });
}
