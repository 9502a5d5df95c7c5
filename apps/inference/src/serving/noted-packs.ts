import type { ActiveModel } from '@sightline/core/models/model';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { describePack } from '@sightline/engine/packs/describe-pack';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import type { PackSource } from '@sightline/engine/packs/pack-source';
import { type Trouble, troubleOf } from './trouble.ts';

/** How far the files of a pack are. */
export type PackState = 'fetching' | 'disk' | Trouble;

/** A source of packs that remembers of each one that was asked for whether it is here. */
export class NotedPacks implements PackSource {
  readonly #source: PackSource;
  readonly #states = new Map<string, PackState>();
  readonly #here = new Map<string, ActiveModel>();

  constructor(source: PackSource) {
    this.#source = source;
  }

  /** Those of the source, and what was fetched: so others learn what there is to be known of a model. */
  get found(): readonly ActiveModel[] {
    const fetched = new Map(this.#here);
    for (const { revision } of this.#source.found) fetched.delete(revision);
    return [...this.#source.found, ...fetched.values()];
  }

  /** Undefined if it was not asked for. */
  stateOf(revision: string): PackState | undefined {
    return this.#states.get(revision);
  }

  async find(revision: string, signal: AbortSignal): Promise<ModelPack | null> {
    if (this.#states.get(revision) !== 'disk') this.#states.set(revision, 'fetching');
    try {
      const pack = await this.#source.find(revision, signal);
      if (pack === null) throw nowhere(revision);
      this.#states.set(revision, 'disk');
      this.#here.set(revision, describePack(pack));
      return pack;
    } catch (error) {
      this.#states.set(revision, troubleOf(error));
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#source[Symbol.dispose]?.();
  }
}

function nowhere(revision: string): ModelLoadFailed {
  return new ModelLoadFailed(
    `The store of models does not have the model ${revision.slice(0, 12)}.`,
  );
}
