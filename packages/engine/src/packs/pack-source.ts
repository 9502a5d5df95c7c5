import type { ActiveModel } from '@sightline/core/models/model';
import type { ModelPack } from './manifest.ts';

/** Where an engine gets the packs that it is to hold. An engine that closes disposes of it, if it can be. */
export interface PackSource extends Partial<Disposable> {
  /** Those whose files are on this machine, as far as it has looked. */
  readonly found: readonly ActiveModel[];
  /**
   * The pack of a revision, with its files on this machine; null if it cannot be had. Whoever loads it
   * compares the digests of its files.
   *
   * @throws ModelLoadFailed if its files cannot be used; the signal's reason on abort
   */
  find(revision: string, signal: AbortSignal): Promise<ModelPack | null>;
}
