import { resolve } from 'node:path';
import { DomainError } from '@sightline/core/domain-error';
import type { ActiveModel } from '@sightline/core/models/model';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import type { PackStore } from '@sightline/core/models/pack-store';
import { describePack } from '@sightline/engine/packs/describe-pack';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import type { PackSource } from '@sightline/engine/packs/pack-source';
import { CacheFolder } from '@sightline/model-downloads/cache-folder';
import { CacheUnusable } from '@sightline/model-downloads/cache-unusable';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import type { Config } from '@sightline/platform/config/variable-groups';
import type { Logger } from '@sightline/platform/logging/logger';
import { makeStarter } from '../starter/make-starter.ts';
import type { StarterPack } from '../starter/starter-pack.ts';
import { STARTER_PACKS } from '../starter/starter-packs.ts';
import { fetchPack, findFetched } from './fetch-pack.ts';
import { describeInstalled, starterRevision } from './installed-starter.ts';
import { retireFetched } from './retire-fetched.ts';
import { runRegularly } from './run-regularly.ts';

export interface HostPacksDeps {
  readonly packs: readonly ModelPack[];
  readonly config: Pick<Config<'models'>, 'cache' | 'starter'>;
  /** The store of downloaded packs; null if there is none. */
  readonly store: PackStore | null;
  readonly logger: Logger;
}

/**
 * The packs that a process can use: the packs that were in its models folder at the start, starter
 * packs, and the packs of the store of packs, which are fetched into the cache.
 */
export class HostPacks implements PackSource, Disposable {
  readonly #deps: HostPacksDeps;
  readonly #cache: CacheFolder;
  readonly #known: Map<string, ModelPack>;
  /** The starter packs in the cache, which are checked when they are used. */
  #installed: readonly ActiveModel[] = [];
  #retiring: Disposable | null = null;

  constructor(deps: HostPacksDeps) {
    this.#deps = deps;
    this.#cache = new CacheFolder(resolve(deps.config.cache));
    this.#known = new Map(deps.packs.map((pack) => [pack.revision, pack]));
  }

  get found(): readonly ActiveModel[] {
    const inFolder = this.#deps.packs.map(describePack);
    const revisions = new Set(inFolder.map(({ revision }) => revision));
    return [...inFolder, ...this.#installed.filter(({ revision }) => !revisions.has(revision))];
  }

  async findInstalled(): Promise<void> {
    const starters = this.#starters();
    const installed = await Promise.all(
      starters.map((starter) => describeInstalled(starter, this.#cache)),
    );
    this.#installed = installed.filter((model) => model !== null);
  }

  async find(revision: string, signal: AbortSignal): Promise<ModelPack | null> {
    const known = this.#known.get(revision);
    if (known !== undefined) return known;
    const starter = await this.#starter(revision, signal);
    if (starter !== null) this.#known.set(revision, starter);
    // The pack may have been deleted from the cache since it was fetched, so the cache is searched
    // each time.
    return starter ?? this.#fetched(revision, signal);
  }

  /**
   * Deletes fetched packs that no process has used for a week, provided that they can be fetched
   * again. All processes that share the cache call this method regularly, so that each keeps its
   * own packs.
   *
   * @param used the revisions that this process uses or is to use
   */
  async retire(used: readonly string[], now = Date.now()): Promise<void> {
    const { store } = this.#deps;
    await retireFetched({ cache: this.#cache, store }, used, now);
  }

  /**
   * Deletes unused packs after some minutes, and every hour after that, until this object is
   * disposed of.
   */
  retireRegularly(used: () => readonly string[]): void {
    this.#retiring?.[Symbol.dispose]();
    this.#retiring = runRegularly(() => this.retire(used()));
  }

  /** Stops the regular deletion of unused packs. Packs can still be found. */
  [Symbol.dispose](): void {
    this.#retiring?.[Symbol.dispose]();
    this.#retiring = null;
  }

  async #starter(revision: string, signal: AbortSignal): Promise<ModelPack | null> {
    const starter = this.#starters().find((each) => starterRevision(each) === revision);
    if (starter === undefined) return null;
    const { config, logger } = this.#deps;
    const environment = readEnvironment();
    const made = await makeStarter(starter, { cache: config.cache, environment, logger, signal });
    if (made.pack === null) logger.warn(`a starter pack could not be prepared: ${made.reason}`);
    else await this.findInstalled();
    return made.pack;
  }

  async #fetched(revision: string, signal: AbortSignal): Promise<ModelPack | null> {
    const { store, logger } = this.#deps;
    const cache = this.#cache;
    try {
      const cached = await findFetched(revision, cache);
      if (cached !== null || store === null) return cached;
      const pack = await fetchPack(revision, { cache, store }, signal);
      if (pack !== null) logger.info({ pack: pack.manifest.name, revision }, 'fetched a model');
      return pack;
    } catch (error) {
      signal.throwIfAborted();
      throw asLoadFailure(error);
    }
  }

  #starters(): readonly StarterPack[] {
    return this.#deps.config.starter === 'off' ? [] : Object.values(STARTER_PACKS);
  }
}

function asLoadFailure(error: unknown): unknown {
  if (error instanceof CacheUnusable) {
    return new ModelLoadFailed(
      `The model cannot be fetched: ${error.message}; set SIGHTLINE_CACHE to a writable folder.`,
      {},
      { cause: error },
    );
  }
  if (!(error instanceof DomainError) || error instanceof ModelLoadFailed) return error;
  const sentence = `The model cannot be fetched from the store of models: ${error.message}`;
  return new ModelLoadFailed(sentence, {}, { cause: error });
}
