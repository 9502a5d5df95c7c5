import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';

/**
 * Writes computed files, formatted like all others. With `--check` on the command line it writes nothing, and
 * the process fails if a file differs from what it would write.
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
