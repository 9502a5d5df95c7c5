import type { ActiveModel } from '@sightline/core/models/model';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { describePack } from '../packs/describe-pack.ts';
import type { ModelPack } from '../packs/manifest.ts';
import type { PackSource } from '../packs/pack-source.ts';

/** The state of a pack's files: being fetched, on the disk, or failed to be fetched. */
export type PackState =
  { readonly kind: 'fetching' | 'disk' } | { readonly kind: 'failed'; readonly error: unknown };

/** Gets packs from a source, and records the state of each one. */
export class NotedPacks implements Disposable {
  readonly #source: PackSource;
  readonly #states = new Map<string, PackState>();
  readonly #fetched = new Map<string, ActiveModel>();

  constructor(source: PackSource) {
    this.#source = source;
  }

  /** The packs of the source, and those that were fetched. */
  get found(): readonly ActiveModel[] {
    const fetched = new Map(this.#fetched);
    for (const { revision } of this.#source.found) fetched.delete(revision);
    return [...this.#source.found, ...fetched.values()];
  }

  /** The state of a pack; undefined if it was not requested. */
  stateOf(revision: string): PackState | undefined {
    return this.#states.get(revision);
  }

  /** The description of a pack; undefined until it has been fetched once. */
  describe(revision: string): ActiveModel | undefined {
    return this.#fetched.get(revision);
  }

  /**
   * The pack of a revision, with its files on this machine.
   *
   * @throws ModelLoadFailed if it cannot be obtained; errors of the source
   */
  async get(revision: string, signal: AbortSignal): Promise<ModelPack> {
    if (this.#states.get(revision)?.kind !== 'disk') {
      this.#states.set(revision, { kind: 'fetching' });
    }
    try {
      const pack = await this.#source.find(revision, signal);
      if (pack === null) throw unobtainable(revision);
      this.#states.set(revision, { kind: 'disk' });
      this.#fetched.set(revision, describePack(pack));
      return pack;
    } catch (error) {
      this.#states.set(revision, { kind: 'failed', error });
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#source[Symbol.dispose]?.();
  }
}

/** A short text that replaces the name of a model of which only the revision is known. */
export function shortOf(revision: string): string {
  return revision.slice(0, 12);
}

function unobtainable(revision: string): ModelLoadFailed {
  return new ModelLoadFailed(
    `This process cannot get the files of the model ${shortOf(revision)}.`,
  );
}
