import type { PackManifest } from '@sightline/engine/packs/manifest';
import type { ModelFile } from '@sightline/model-downloads/model-file';

/** One file of a pack, and how it is made of what others have published. */
export interface StarterPart {
  /** Its name in the pack; the manifest has its digest. */
  readonly file: string;
  readonly published: readonly ModelFile[];
  /**
   * Makes the file of the bytes of the published ones, in their order. Pure.
   *
   * @throws FileRefused
   */
  readonly prepare: (...published: Uint8Array[]) => Uint8Array;
}

/** A pack that is made on the machine where it is used. */
export interface StarterPack {
  readonly manifest: PackManifest;
  /** One for each component of the manifest. */
  readonly parts: readonly StarterPart[];
}
