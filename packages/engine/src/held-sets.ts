import type { HeldModel, NamedModels } from '@sightline/core/models/analyzer-status';
import { DomainError } from '@sightline/core/domain-error';
import type { ActiveModel } from '@sightline/core/models/model';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import type { ModelSet } from './model-set.ts';
import type { ModelPack } from './packs/manifest.ts';
import type { PackSource } from './packs/pack-source.ts';
import { hasAll, isSameWish, revisionsOf, type WishedSet } from './wished-set.ts';

/** The parts of the process that a set takes while it lives: there are two. */
type Place = 0 | 1;
const PLACES: readonly Place[] = [0, 1];

/** For an analysis that hangs, in ms: longer than any caller waits for one. */
const RELEASE_TIMEOUT_MS = 360_000;

/** What happens to a set of models. */
export type SetChange =
  | { readonly kind: 'loaded'; readonly models: readonly string[]; readonly milliseconds: number }
  | { readonly kind: 'failed'; readonly models: readonly string[]; readonly error: unknown }
  | { readonly kind: 'released'; readonly models: readonly string[] };

export interface OpenSetOptions extends Pick<WishedSet, 'provider'> {
  readonly face: ModelPack | null;
  readonly object: ModelPack | null;
  readonly place: Place;
  readonly signal: AbortSignal;
}

export interface HeldSetsDeps {
  readonly source: PackSource;
  /** Loads and warms models in a place that no other set has. Throws ModelLoadFailed. */
  readonly open: (options: OpenSetOptions) => Promise<ModelSet>;
  readonly onChange: (change: SetChange) => void;
}

interface Held {
  readonly wish: WishedSet;
  readonly set: ModelSet;
  readonly place: Place;
}

interface Failure {
  readonly wish: WishedSet;
  readonly error: ModelLoadFailed;
}

/**
 * The sets of models that a process holds, at most two. What is wished is loaded beside what answers; what
 * is not wished goes once everything wished is warm or has failed, unless nothing else would be left. A
 * set ends when it has answered all that it was given, and its place is free then.
 */
export class HeldSets {
  readonly #deps: HeldSetsDeps;
  #warm: readonly Held[];
  /** Sets that finish what they were given, by their place. */
  readonly #leaving = new Map<Place, { readonly set: ModelSet; readonly ended: Promise<void> }>();
  #wishes: readonly WishedSet[];
  #loading: { readonly wish: WishedSet; readonly controller: AbortController } | null = null;
  #failures: readonly Failure[] = [];
  /** Names of packs that were found, by revision, for those that are not loaded. */
  readonly #names = new Map<string, Pick<HeldModel, 'name' | 'task'>>();
  #isWorking = false;
  #work: Promise<void> = Promise.resolve();
  #isClosed = false;

  /** @param first warm already, in the first place */
  constructor(first: { readonly wish: WishedSet; readonly set: ModelSet }, deps: HeldSetsDeps) {
    this.#deps = deps;
    this.#warm = [{ ...first, place: 0 }];
    this.#wishes = [first.wish];
  }

  /** The set that answers requests which name no models. */
  get preferred(): ModelSet {
    return this.#inOrder()[0]!.set;
  }

  /** Warm sets, and those that finish what they were given. */
  get all(): readonly ModelSet[] {
    return [...this.#warm, ...this.#leaving.values()].map(({ set }) => set);
  }

  /** How many sets are warm. */
  get size(): number {
    return this.#warm.length;
  }

  /** Whether the models that are wished first are warm, on whatever device. */
  get hasPreferred(): boolean {
    return this.find(this.#wishes[0]!) !== null;
  }

  /** Each model once: those of warm sets, then others that are wished. */
  get held(): readonly HeldModel[] {
    const warm = this.#inOrder().flatMap(({ set }) =>
      set.models.map((one) => this.#warmModel(one)),
    );
    const others = this.#wishes.flatMap((wish) => this.#notWarm(wish));
    const byRevision = new Map<string, HeldModel>();
    for (const model of [...warm, ...others]) {
      if (!byRevision.has(model.revision)) byRevision.set(model.revision, model);
    }
    return [...byRevision.values()];
  }

  /** The set that has all these models; null if none has. */
  find(named: NamedModels): ModelSet | null {
    return this.#inOrder().find(({ set }) => hasAll(set.models, named))?.set ?? null;
  }

  /** Begins to do what is wished, in order of preference. What failed before is tried again. */
  wish(wishes: readonly WishedSet[]): void {
    if (wishes.length > 0) this.#wishes = wishes.slice(0, PLACES.length);
    this.#failures = [];
    const { wish, controller } = this.#loading ?? {};
    if (wish !== undefined && !this.#wishes.some((one) => isSameWish(one, wish))) {
      controller!.abort(new Error('Other models are wished.'));
    }
    if (!this.#isWorking) this.#work = this.#carryOut();
  }

  /** Resolves when nothing is left to load. */
  async settled(): Promise<void> {
    do await this.#work;
    while (this.#isWorking);
  }

  /** Takes no more work, and ends all sets once they have finished theirs, or when the signal aborts. */
  async close(signal?: AbortSignal): Promise<void> {
    this.#isClosed = true;
    this.#loading?.controller.abort(new Error('The process is stopping.'));
    await Promise.all(this.all.map(({ pool }) => pool.close(signal)));
    // Threads that load models end by themselves, but maybe too late.
    await orAbort(this.#allEnded(), signal).catch(() => undefined);
  }

  async #allEnded(): Promise<void> {
    await this.settled();
    await Promise.all([...this.#leaving.values()].map(({ ended }) => ended));
  }

  #inOrder(): readonly Held[] {
    const wished = this.#chosen();
    return [...wished, ...this.#warm.filter((held) => !wished.includes(held))];
  }

  /** The warm sets that fulfil a wish, each once. */
  #chosen(): readonly Held[] {
    const chosen = this.#wishes.map((wish) => this.#warm.find((held) => fulfils(held, wish)));
    return [...new Set(chosen)].filter((held) => held !== undefined);
  }

  #warmModel({ name, task, revision }: ActiveModel): HeldModel {
    const deaths = this.#warm
      .filter(({ set }) => hasAll(set.models, { face: revision }))
      .reduce((sum, { set }) => sum + set.deaths, 0);
    return { name, task, revision, state: 'warm', error: null, deaths };
  }

  /** A set whose models do not load together has failed for all of them. */
  #notWarm(wish: WishedSet): readonly HeldModel[] {
    if (this.#warm.some((held) => fulfils(held, wish))) return [];
    const failure = this.#failureOf(wish);
    return (['face', 'object'] as const).flatMap((task) => {
      const revision = wish[task];
      if (revision === undefined) return [];
      const known = this.#names.get(revision) ?? { name: shortOf(revision), task };
      const state = failure === undefined ? 'loading' : 'failed';
      return [{ ...known, revision, state, error: failure?.error.message ?? null, deaths: 0 }];
    });
  }

  #failureOf(wish: WishedSet): Failure | undefined {
    return this.#failures.find((failure) => isSameWish(failure.wish, wish));
  }

  /** Ends in the same step in which nothing is left to do, so that no later wish is missed. */
  async #carryOut(): Promise<void> {
    this.#isWorking = true;
    for (let next = this.#next(); next !== null; next = this.#next()) await this.#load(next);
    if (!this.#isClosed) this.#releaseOthers();
    this.#isWorking = false;
  }

  /** What is wished and neither warm nor known to fail. */
  #next(): WishedSet | null {
    if (this.#isClosed) return null;
    const isMissing = (wish: WishedSet) =>
      !this.#warm.some((held) => fulfils(held, wish)) && this.#failureOf(wish) === undefined;
    return this.#wishes.find(isMissing) ?? null;
  }

  /** Nothing is released if what is left could not answer. */
  #releaseOthers(): void {
    const chosen = this.#chosen();
    if (chosen.length === 0) return;
    for (const held of this.#warm) if (!chosen.includes(held)) this.#release(held);
  }

  async #load(wish: WishedSet): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    const began = performance.now();
    this.#loading = { wish, controller };
    try {
      const packs = await this.#find(wish, signal);
      const place = await this.#freePlace(signal);
      const set = await this.#deps.open({ ...packs, provider: wish.provider, place, signal });
      this.#add({ wish, set, place }, performance.now() - began);
    } catch (error) {
      if (!signal.aborted) this.#fail(wish, error);
    } finally {
      this.#loading = null;
    }
  }

  #add(held: Held, milliseconds: number): void {
    this.#warm = [...this.#warm, held];
    this.#deps.onChange({ kind: 'loaded', models: namesOf(held.set), milliseconds });
    // What was taken back while its last thread began is let go like any other.
    if (this.#isClosed) this.#release(held);
  }

  #fail(wish: WishedSet, error: unknown): void {
    this.#failures = [...this.#failures, { wish, error: asLoadFailure(error) }];
    const models = revisionsOf(wish).map(
      (revision) => this.#names.get(revision)?.name ?? shortOf(revision),
    );
    this.#deps.onChange({ kind: 'failed', models, error });
  }

  async #find(wish: WishedSet, signal: AbortSignal) {
    const pack = async (revision: string | undefined) => {
      if (revision === undefined) return null;
      const found = await this.#deps.source.find(revision, signal);
      signal.throwIfAborted();
      if (found === null) throw notToBeHad(revision);
      const { name, task } = found.manifest;
      this.#names.set(revision, { name, task });
      return found;
    };
    return { face: await pack(wish.face), object: await pack(wish.object) };
  }

  /** Two sets at most: one that is not wished gives way, and its requests are waited for. */
  async #freePlace(signal: AbortSignal): Promise<Place> {
    const spare = this.#inOrder()
      .slice(1)
      .findLast((held) => !this.#chosen().includes(held));
    if (this.#warm.length === PLACES.length && spare !== undefined) this.#release(spare);
    for (;;) {
      const taken = new Set([...this.#warm.map(({ place }) => place), ...this.#leaving.keys()]);
      const free = PLACES.find((place) => !taken.has(place));
      if (free !== undefined) return free;
      await Promise.race([...this.#leaving.values()].map(({ ended }) => ended));
      signal.throwIfAborted();
    }
  }

  #release(held: Held): void {
    const { set, place } = held;
    this.#warm = this.#warm.filter((other) => other !== held);
    const ended = set.pool.close(AbortSignal.timeout(RELEASE_TIMEOUT_MS)).then(() => {
      this.#leaving.delete(place);
      this.#deps.onChange({ kind: 'released', models: namesOf(set) });
    });
    this.#leaving.set(place, { set, ended });
  }
}

function fulfils({ wish, set }: Held, wanted: WishedSet): boolean {
  return wish.provider === wanted.provider && hasAll(set.models, wanted);
}

function namesOf({ models }: ModelSet): readonly string[] {
  return models.map(({ name }) => name);
}

/** Stands for the name of a model that is known by its revision alone. */
function shortOf(revision: string): string {
  return revision.slice(0, 12);
}

function notToBeHad(revision: string): ModelLoadFailed {
  return new ModelLoadFailed(
    `This process cannot get the files of the model ${shortOf(revision)}.`,
  );
}

function asLoadFailure(error: unknown): ModelLoadFailed {
  if (error instanceof ModelLoadFailed) return error;
  const reason = error instanceof DomainError ? error.message : 'it failed unexpectedly';
  return new ModelLoadFailed(`The model cannot be loaded: ${reason}`, {}, { cause: error });
}
