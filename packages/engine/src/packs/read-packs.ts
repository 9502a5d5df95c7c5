import { loadFailure } from './load-failure.ts';
import type { ModelPack } from './manifest.ts';
import { keepOnly, type ModelContents } from './model-contents.ts';
import { readPackFile } from './model-file.ts';
import { packFiles } from './pack-files.ts';

/**
 * Reads the files of packs once, for all threads that load the packs.
 *
 * @param known files that were read before; this map is not changed
 * @returns exactly the files of these packs
 * @throws ModelLoadFailed naming the file and the reason
 */
export async function readPacks(
  packs: readonly (ModelPack | null)[],
  known: ModelContents = new Map(),
): Promise<ModelContents> {
  const contents = new Map(known);
  keepOnly(contents, packs);
  for (const pack of packs) {
    if (pack === null) continue;
    for (const file of packFiles(pack.manifest)) {
      if (contents.has(file.sha256)) continue;
      try {
        contents.set(file.sha256, await readPackFile(pack.directory, file));
      } catch (error) {
        throw loadFailure(file.file, error);
      }
    }
  }
  return contents;
}
