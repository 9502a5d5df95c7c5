import type { ActiveModel } from '@sightline/core/models/model';
import type { ModelPack } from './manifest.ts';

/**
 * The source from which an engine gets its packs. If the source is disposable, the engine disposes
 * of it on close.
 */
export interface PackSource extends Partial<Disposable> {
  /** The models whose files are known to be on this machine. */
  readonly found: readonly ActiveModel[];
  /**
   * Returns the pack of a revision with its files on this machine, or null if the pack cannot be
   * obtained. The files are compared with their digests only when the pack is loaded.
   *
   * @throws ModelLoadFailed if the pack's files cannot be used; on abort, the signal's reason
   */
  find(revision: string, signal: AbortSignal): Promise<ModelPack | null>;
}
