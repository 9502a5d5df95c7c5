import { join } from 'node:path';
import { loadFailure } from './load-failure.ts';
import type { ModelPack } from './manifest.ts';
import { keepOnly, type ModelContents } from './model-contents.ts';
import { readModelFile } from './model-file.ts';

/**
 * Reads the files of packs once, for all threads that load them.
 *
 * @param known files that were read before; not changed
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
    for (const { file, sha256 } of pack?.manifest.components ?? []) {
      if (contents.has(sha256)) continue;
      try {
        contents.set(sha256, (await readModelFile(join(pack!.directory, file), sha256)).bytes);
      } catch (error) {
        throw loadFailure(file, error);
      }
    }
  }
  return contents;
}
