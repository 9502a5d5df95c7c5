import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActiveModel } from '@sightline/core/models/model';
import { describePack } from '@sightline/engine/packs/describe-pack';
import { withDefaultClasses } from '@sightline/engine/packs/default-classes';
import { MANIFEST } from '@sightline/engine/packs/discover-packs';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { packRevision } from '@sightline/engine/packs/revision';
import type { CacheFolder } from '@sightline/model-downloads/cache-folder';
import { starterHome, starterManifest } from '../starter/install-starter.ts';
import type { StarterPack } from '../starter/starter-pack.ts';

export function starterRevision(starter: StarterPack): string {
  return installedPack(starter, '').revision;
}

/**
 * Returns the model of a starter pack whose files are in the cache, or null if a file is missing.
 */
export async function describeInstalled(
  starter: StarterPack,
  cache: CacheFolder,
): Promise<ActiveModel | null> {
  const folder = join(starterHome(starter, cache), starter.manifest.name);
  const written = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (written !== starterManifest(starter)) return null;
  const files = starter.parts.map(({ file }) => stat(join(folder, file)));
  const isWhole = await Promise.all(files).then(
    (all) => all.every((each) => each.isFile()),
    () => false,
  );
  return isWhole ? describePack(installedPack(starter, folder)) : null;
}

function installedPack({ manifest }: StarterPack, directory: string): ModelPack {
  const components = manifest.components.map(withDefaultClasses);
  return {
    manifest: { ...manifest, components },
    directory,
    revision: packRevision(components),
  };
}
