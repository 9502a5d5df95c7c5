import type { PackManifest } from '@sightline/engine/packs/manifest';
import type { ModelFile } from '@sightline/model-downloads/model-file';

/** One file of a pack, and how it is created from published files. */
export interface StarterPart {
  /** The file's name in the pack. The manifest contains the file's digest. */
  readonly file: string;
  readonly published: readonly ModelFile[];
  /**
   * Creates the file from the bytes of the published files, in order. The function has no side
   * effects.
   *
   * @throws FileRefused
   */
  readonly prepare: (...published: Uint8Array[]) => Uint8Array;
}

/** A pack that is created on the machine that uses it. */
export interface StarterPack {
  readonly manifest: PackManifest;
  /** The parts, one per component of the manifest. */
  readonly parts: readonly StarterPart[];
}
