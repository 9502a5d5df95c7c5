import type { ActiveModel } from '@sightline/core/models/model';
import type { ModelPack } from './manifest.ts';

/**
 * The source from which an engine gets its packs. The engine disposes of it on close, if it
 * is disposable.
 */
export interface PackSource extends Partial<Disposable> {
  /** Models whose files are known to be on this machine. */
  readonly found: readonly ActiveModel[];
  /**
   * The pack of a revision, with its files on this machine; null if it cannot be obtained. The
   * files are not compared with their digests yet; loading the pack does that.
   *
   * @throws ModelLoadFailed if its files cannot be used; the signal's reason on abort
   */
  find(revision: string, signal: AbortSignal): Promise<ModelPack | null>;
}
