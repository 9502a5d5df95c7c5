import type { ActiveModel } from '@sightline/core/models/model';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import type { PackSource } from '@sightline/engine/packs/pack-source';
import { type Trouble, troubleOf } from './trouble.ts';

/** How far the files of a pack are. */
export type PackState = 'fetching' | 'disk' | Trouble;

/** A source of packs that remembers of each one that was asked for whether it is here. */
export class NotedPacks implements PackSource {
  readonly #source: PackSource;
  readonly #states = new Map<string, PackState>();

  constructor(source: PackSource) {
    this.#source = source;
  }

  get found(): readonly ActiveModel[] {
    return this.#source.found;
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
