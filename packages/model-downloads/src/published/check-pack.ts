import { basename } from 'node:path';
import type { ActiveModel } from '@sightline/core/models/model';
import type { ModelFacts } from '@sightline/core/models/model-source';
import { describePack } from '@sightline/engine/packs/describe-pack';
import { readPack } from '@sightline/engine/packs/discover-packs';
import type { PackManifest } from '@sightline/engine/packs/manifest';
import type { ModelContents } from '@sightline/engine/packs/model-contents';
import { packFiles } from '@sightline/engine/packs/pack-files';
import { PackRejected } from '@sightline/engine/packs/pack-rejected';
import { SourceFailed } from '../source-failed.ts';

/** A folder that is a valid pack. */
export interface CheckedPack {
  readonly model: ActiveModel;
  /** The text of a complete `manifest.json`, even if the folder has none. */
  readonly manifest: string;
  /** The files that the manifest names. */
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
  /** A sentence about each ignored file. */
  readonly warnings: readonly string[];
}

/** Drops the contents of each checked file to save memory, because another process loads the pack. */
class NoContents extends Map<string, Uint8Array<SharedArrayBuffer>> implements ModelContents {
  override set(): this {
    return this;
  }
}

/**
 * Checks a folder like the packs of a models folder. Parses its graphs, and refuses a graph that reads files outside the
 * pack or uses unsupported operators. The folder's name becomes the pack's name.
 *
 * @param facts the license and version for a pack without a manifest
 * @throws SourceFailed
 */
export async function checkPack(directory: string, facts: ModelFacts): Promise<CheckedPack> {
  const { pack, warnings } = await read(directory);
  const { manifest: found } = pack;
  const manifest = found.license === 'unknown' ? withFacts(found, facts) : found;
  return {
    model: describePack({ ...pack, manifest }),
    manifest: `${JSON.stringify(manifest, null, 2)}\n`,
    files: packFiles(manifest).map(({ file, sha256 }) => ({ name: file, sha256 })),
    warnings,
  };
}

async function read(directory: string): ReturnType<typeof readPack> {
  try {
    return await readPack(directory, basename(directory), new NoContents());
  } catch (cause) {
    if (!(cause instanceof PackRejected)) throw cause;
    throw new SourceFailed(`provided files that are not a usable pack: ${cause.message}`, {
      cause,
      reason: 'pack_refused',
    });
  }
}

function withFacts(
  manifest: PackManifest,
  { version, license, commercialUse, commercialUseReason }: ModelFacts,
): PackManifest {
  const { commercial_use_reason: found } = manifest;
  return {
    ...manifest,
    version: version ?? manifest.version,
    license,
    commercial_use: commercialUse,
    commercial_use_reason: commercialUseReason ?? (commercialUse === 'unknown' ? found : undefined),
  };
}
