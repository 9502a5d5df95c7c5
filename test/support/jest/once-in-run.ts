import { mkdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether jest runs this, or a process that a test started. */
export function isInRun(): boolean {
  return process.env.SIGHTLINE_TEST_RUN !== undefined;
}

/** The folder of this run of tests, which is removed at its end. */
export function runFolder(): string {
  const folder = process.env.SIGHTLINE_TEST_RUN;
  if (folder === undefined) throw new Error('This is for tests that jest runs.');
  return folder;
}

/**
 * Makes something for all test files of the run: the first one that asks makes it, the others wait and
 * get the same answer. If making it fails, the next one that asks tries again.
 *
 * @param name of a file in the folder of the run, `<name>.json`, which keeps the answer
 * @param make answers what JSON can hold
 */
export async function onceInRun<T>(name: string, make: () => Promise<T>): Promise<T> {
  const file = join(runFolder(), `${name}.json`);
  const making = join(runFolder(), `${name}.making`);
  for (;;) {
    const made = await readIfMade<T>(file);
    if (made !== undefined) return made;
    if (await takes(making)) break;
    // The time limit of the test that waits is the only one.
    await delay(20);
  }
  try {
    const made = await make();
    await writeFile(`${file}.new`, JSON.stringify(made));
    await rename(`${file}.new`, file);
    return made;
  } catch (error) {
    await rmdir(making);
    throw error;
  }
}

async function readIfMade<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether the folder was not there before. */
async function takes(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
