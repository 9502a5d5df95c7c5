import { setTimeout as sleep } from 'node:timers/promises';
import type { NamedModels } from '@sightline/core/models/analyzer-status';
import type { Engine } from '@sightline/engine/engine';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import type { PackSource } from '@sightline/engine/packs/pack-source';
import type { Logger } from '@sightline/platform/logging/logger';
import { AskedModels } from './asked-models.ts';
import type { ReportedModel } from '@sightline/contracts/cluster/model-report';
import { reportModels } from './model-report.ts';
import { NotedPacks } from './noted-packs.ts';
import type { ServingFile } from '@sightline/contracts/cluster/serving-file';
import { parseServingFile, setsOf } from './serving-file.ts';
import { type Trouble, troubleOf } from './trouble.ts';
import { watchFile } from './watched-file.ts';

/** The engine, as far as it is told what to hold. */
export type HoldingEngine = Pick<Engine, 'hold' | 'status'>;

export interface ServedModelsDeps<E extends HoldingEngine> {
  /** Path of the serving file. */
  readonly path: string;
  readonly packs: PackSource;
  /** Loads and warms a first set. @throws ModelLoadFailed */
  readonly open: (
    packs: { readonly face: ModelPack | null; readonly object: ModelPack | null },
    source: PackSource,
  ) => Promise<E>;
  readonly logger: Logger;
  /** What failed is tried again after so many ms, then after longer pauses; default: 5 s. */
  readonly retryMs?: number;
}

const RETRY_MS = 5_000;
const LONGEST_RETRIES = 12;
const NOTHING: ServingFile = { models: [] };

/**
 * The models that a serving file names: fetched, loaded beside what answers, and let go when the file names them no
 * more. The file decides alone; what it names and cannot be had is tried again and again.
 */
export class ServedModels<E extends HoldingEngine> implements AsyncDisposable {
  readonly asked = new AskedModels();
  readonly #deps: ServedModelsDeps<E>;
  readonly #packs: NotedPacks;
  readonly #ended = new AbortController();
  #file = NOTHING;
  #failure: Trouble | null = null;
  #engine: E | null = null;
  /** What has to be warm before the process is ready; null: it was. */
  #awaited: readonly string[] | null = [];
  #watching: Promise<void> | null = null;
  #changed = Promise.withResolvers<undefined>();

  constructor(deps: ServedModelsDeps<E>) {
    this.#deps = deps;
    this.#packs = new NotedPacks(deps.packs);
  }

  /** The revisions that the file names, and those that the engine holds. */
  get wanted(): readonly string[] {
    return this.report.models.map(({ revision }) => revision);
  }

  get report(): { readonly models: readonly ReportedModel[] } {
    const held = this.#engine?.status().held ?? [];
    const { asked } = this;
    const [file, packs, failure] = [this.#file, this.#packs, this.#failure];
    return { models: reportModels({ file, held, packs, asked, failure }) };
  }

  /** Whether all that the file named when the engine was opened has been warm, or is named no more. */
  isReady(): boolean {
    if (this.#engine === null || this.#awaited === null) return this.#engine !== null;
    const { held } = this.#engine.status();
    const isWarm = (revision: string) =>
      held.some((model) => model.revision === revision && model.state === 'warm');
    const loaded = new Set(
      this.#file.models.filter(({ keep }) => keep === 'loaded').map(({ revision }) => revision),
    );
    const isAllThere = this.#awaited.every((each) => isWarm(each) || !loaded.has(each));
    if (isAllThere) this.#awaited = null;
    return isAllThere;
  }

  /**
   * Opens the engine with the first set of the file, as soon as the file names one that can be loaded; what else it
   * names follows.
   *
   * @throws the signal's reason on abort
   */
  async start(signal: AbortSignal): Promise<E> {
    // Who is being stopped follows no more.
    signal.addEventListener('abort', () => this.#ended.abort(), { once: true });
    this.#watching = this.#watch();
    for (const pauseMs of this.#pauses()) {
      const changed = this.#changed.promise;
      const engine = await this.#tryOpen(signal);
      signal.throwIfAborted();
      if (engine !== null) {
        this.#engine = engine;
        this.#awaited = setsOf(this.#file).flatMap(({ face, object }) =>
          [face, object].filter((revision) => revision !== undefined),
        );
        this.#hold();
        return engine;
      }
      await this.#pause(changed, pauseMs, signal);
    }
    throw new Error('The pauses have no end.');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#watching;
  }

  async #tryOpen(signal: AbortSignal): Promise<E | null> {
    const [first] = setsOf(this.#file);
    if (first === undefined) return null;
    try {
      const engine = await this.#open(first, signal);
      this.#failure = null;
      return engine;
    } catch (error) {
      signal.throwIfAborted();
      this.#failure = troubleOf(error);
      this.#deps.logger.error({ err: error }, 'models could not be loaded');
    }
    return null;
  }

  async #open({ face, object }: NamedModels, signal: AbortSignal): Promise<E> {
    const pack = (revision: string | undefined) =>
      revision === undefined ? Promise.resolve(null) : this.#packs.find(revision, signal);
    return this.#deps.open({ face: await pack(face), object: await pack(object) }, this.#packs);
  }

  async #watch(): Promise<void> {
    const { signal } = this.#ended;
    const retrying = this.#retry(signal);
    for await (const text of watchFile(this.#deps.path, signal)) this.#take(text);
    await retrying;
  }

  #take(text: string): void {
    try {
      this.#file = parseServingFile(text);
    } catch (error) {
      // What was held goes on.
      this.#deps.logger.error({ err: error }, 'the serving file cannot be used');
      return;
    }
    const { models } = this.#file;
    this.#deps.logger.info({ models: models.map(({ name }) => name) }, 'the serving file was read');
    const changed = this.#changed;
    this.#changed = Promise.withResolvers();
    changed.resolve(undefined);
    this.#hold();
  }

  /** What failed because something was away comes back with it. */
  async #retry(signal: AbortSignal): Promise<void> {
    let pauses = this.#pauses();
    while (!signal.aborted) {
      await sleep(pauses.next().value, undefined, { signal }).catch(() => undefined);
      if (this.report.models.some(({ state }) => state === 'failed')) this.#hold();
      else pauses = this.#pauses();
    }
  }

  /** In ms: twice as long each time, up to a minute. */
  *#pauses(): Generator<number, never> {
    const { retryMs = RETRY_MS } = this.#deps;
    for (let pause = retryMs; ; pause = Math.min(2 * pause, LONGEST_RETRIES * retryMs)) yield pause;
  }

  #hold(): void {
    if (this.#ended.signal.aborted) return;
    // Before there is an engine, the start takes what the file says.
    this.#engine?.hold({ provider: 'auto', sets: setsOf(this.#file) });
    for (const { revision, keep } of this.#file.models) {
      if (keep === 'disk') void this.#fetch(revision);
    }
  }

  async #fetch(revision: string): Promise<void> {
    if (this.#packs.stateOf(revision) === 'fetching') return;
    await this.#packs.find(revision, this.#ended.signal).catch((error: unknown) => {
      if (!this.#ended.signal.aborted) this.#deps.logger.warn({ err: error }, 'a model is missing');
    });
  }

  /** Or until the file has changed. */
  async #pause(changed: Promise<undefined>, pauseMs: number, signal: AbortSignal): Promise<void> {
    const waited = new AbortController();
    const either = AbortSignal.any([waited.signal, signal]);
    const pause = sleep(pauseMs, undefined, { signal: either }).catch(() => undefined);
    await Promise.race([changed, pause]);
    waited.abort();
    signal.throwIfAborted();
  }
}
