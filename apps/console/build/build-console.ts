import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { compressFiles } from './compress-files.ts';
import { consoleConfig } from './console-config.ts';
import { insertedStyleHashes } from './inserted-styles.ts';
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

async function writeBuild(folder: string, isChecked: boolean): Promise<void> {
  // Jest names another environment, for which libraries have other code.
  // eslint-disable-next-line no-restricted-properties -- Vite reads the variable
  process.env.NODE_ENV = 'production';
  const config = consoleConfig(isChecked);
  const outDir = join(folder, 'public');
  await build({ ...config, build: { ...config.build, outDir, emptyOutDir: false } });
  await compressFiles(outDir);
  const content = { style_hashes: insertedStyleHashes() };
  await writeFile(join(folder, 'build.json'), JSON.stringify(content));
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
