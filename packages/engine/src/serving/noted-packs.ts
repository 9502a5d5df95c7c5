import type { ActiveModel } from '@sightline/core/models/model';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { describePack } from '../packs/describe-pack.ts';
import type { ModelPack } from '../packs/manifest.ts';
import type { PackSource } from '../packs/pack-source.ts';

/** The state of a pack's files: being fetched, on the disk, or failed to be fetched. */
export type PackState =
  { readonly kind: 'fetching' | 'disk' } | { readonly kind: 'failed'; readonly error: unknown };

/** Gets packs from a source, and records the state of each pack. */
export class NotedPacks implements Disposable {
  readonly #source: PackSource;
  readonly #states = new Map<string, PackState>();
  readonly #fetched = new Map<string, ActiveModel>();

  constructor(source: PackSource) {
    this.#source = source;
  }

  /** The packs that the source found, and the packs that were fetched. */
  get found(): readonly ActiveModel[] {
    const fetched = new Map(this.#fetched);
    for (const { revision } of this.#source.found) fetched.delete(revision);
    return [...this.#source.found, ...fetched.values()];
  }

  /** Returns the state of a pack, or undefined if it was not requested or its fetch was stopped. */
  stateOf(revision: string): PackState | undefined {
    return this.#states.get(revision);
  }

  /** Returns the description of a pack, or undefined until the pack has been fetched once. */
  describe(revision: string): ActiveModel | undefined {
    return this.#fetched.get(revision);
  }

  /**
   * Returns the pack of a revision, with its files on this machine.
   *
   * @throws ModelLoadFailed if the pack cannot be obtained; errors of the source
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
      if (!signal.aborted) this.#states.set(revision, { kind: 'failed', error });
      // A pack whose fetch was stopped has not failed: another set may be about to fetch it.
      else if (this.#states.get(revision)?.kind !== 'disk') this.#states.delete(revision);
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#source[Symbol.dispose]?.();
  }
}

/** Returns a short text that replaces the name of a model of which only the revision is known. */
export function shortOf(revision: string): string {
  return revision.slice(0, 12);
}

function unobtainable(revision: string): ModelLoadFailed {
  return new ModelLoadFailed(
    `This process cannot get the files of the model ${shortOf(revision)}.`,
  );
}
