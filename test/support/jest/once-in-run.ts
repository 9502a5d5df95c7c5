import { mkdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Whether this process belongs to a jest run: it is jest, or a process that a test started. */
export function isInRun(): boolean {
  return process.env.SIGHTLINE_TEST_RUN !== undefined;
}

/** The folder of this test run, which is removed at the run's end. */
export function runFolder(): string {
  const folder = process.env.SIGHTLINE_TEST_RUN;
  if (folder === undefined) throw new Error('This is for tests that jest runs.');
  return folder;
}

/**
 * Makes something once for all test files of the run. The first caller makes it; the other callers
 * wait and get the same result. If making it fails, the next caller tries again.
 * @param name the result is stored in the file `<name>.json` in the folder of the run
 * @param make returns a value that JSON can hold
 */
export async function onceInRun<T>(name: string, make: () => Promise<T>): Promise<T> {
  const file = join(runFolder(), `${name}.json`);
  const making = join(runFolder(), `${name}.making`);
  for (;;) {
    const made = await readIfMade<T>(file);
    if (made !== undefined) return made;
    if (await takes(making)) break;
    // The loop has no time limit, because the waiting test has one.
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

/** Creates the folder, and returns whether it did not exist before. */
async function takes(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
