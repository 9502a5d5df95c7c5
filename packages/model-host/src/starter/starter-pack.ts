import type { PackManifest } from '@sightline/engine/packs/manifest';
import type { ModelFile } from '@sightline/model-downloads/model-file';

/** One file of a pack, and how it is made from published files. */
export interface StarterPart {
  /** Its name in the pack; its digest is in the manifest. */
  readonly file: string;
  readonly published: readonly ModelFile[];
  /**
   * Makes the file from the bytes of the published files, in their order. Pure.
   *
   * @throws FileRefused
   */
  readonly prepare: (...published: Uint8Array[]) => Uint8Array;
}

/** A pack that is made on the machine that uses it. */
export interface StarterPack {
  readonly manifest: PackManifest;
  /** One for each component of the manifest. */
  readonly parts: readonly StarterPart[];
}
