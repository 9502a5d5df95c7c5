import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';

/**
 * Writes files that are computed, formatted like all others. If the command line has `--check` it
 * writes nothing, and the process fails if a file is not what would be written.
 *
 * @param files text by path, relative to the repository
 */
export async function writeComputed(files: ReadonlyMap<string, string>): Promise<void> {
  const check = process.argv.includes('--check');
  for (const [path, text] of files) {
    const options = await resolveConfig(path);
    const wanted = await format(text, { ...options, filepath: path });
    const present = await readFile(path, 'utf8').catch(() => '');
    if (present === wanted) continue;
    if (check) {
      console.error(`${path} is outdated: run \`make generate\`.`);
      process.exitCode = 1;
    } else {
      await writeFile(path, wanted);
    }
  }
}
