import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sourceDigest } from './source-digest.ts';

/** The number of builds that stay, so that services that still run keep their files. */
const KEPT = 3;
const BUILDS = resolve(import.meta.dirname, '../../../.cache/console');

export interface ConsoleBuildOptions {
  /** Whether answers are compared with their schemas in the browser, for tests. */
  readonly isChecked?: boolean;
  /** Called if the sources have changed, before the build. */
  readonly started?: () => void;
}

/**
 * Builds the console, unless a build of the same sources is there.
 *
 * @returns the folder of the build, for SIGHTLINE_CONSOLE_DIR
 */
export async function buildConsole({
  isChecked = false,
  started,
}: ConsoleBuildOptions = {}): Promise<string> {
  const digest = await sourceDigest();
  const folder = join(BUILDS, isChecked ? `${digest}-checked` : digest);
  if (existsSync(folder)) {
    await touch(folder);
    return folder;
  }
  started?.();
  // Vite takes seconds to load, and is not needed while the sources are as they were.
  const { writeBuild } = await import('./write-build.ts');
  const temporary = join(BUILDS, `.${randomUUID()}`);
  try {
    await writeBuild(temporary, isChecked);
    await place(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  await removeOldBuilds();
  return folder;
}

/** Renames a finished build to its place. Another process may have put an equal build there first. */
async function place(temporary: string, folder: string): Promise<void> {
  try {
    await rename(temporary, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

async function touch(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now);
}

async function removeOldBuilds(): Promise<void> {
  const names = (await readdir(BUILDS)).filter((name) => !name.startsWith('.'));
  const builds = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(BUILDS, name))).mtimeMs })),
  );
  const old = builds.toSorted((one, other) => other.at - one.at).slice(KEPT);
  await Promise.all(
    old.map(({ name }) => rm(join(BUILDS, name), { recursive: true, force: true })),
  );
  await mkdir(BUILDS, { recursive: true });
}
