import { rename, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';
import { compressFiles } from './compress-files.ts';
import { consoleConfig } from './console-config.ts';
import { insertedStyleHashes } from './inserted-styles.ts';

/** Builds the console into a folder, with compressed copies and what the server needs for the policy of the page. */
export async function writeBuild(folder: string, isChecked: boolean): Promise<void> {
  // Jest names another environment, for which libraries have other code.
  // oxlint-disable-next-line no-restricted-properties -- Vite reads the variable
  process.env.NODE_ENV = 'production';
  const config = consoleConfig(isChecked);
  const outDir = join(folder, 'public');
  await build({ ...config, build: { ...config.build, outDir, emptyOutDir: false } });
  // Browsers need no list of the files, so it is not among those that are served.
  await rename(join(outDir, '.vite/manifest.json'), join(folder, 'manifest.json'));
  await rmdir(join(outDir, '.vite'));
  await compressFiles(outDir);
  const content = { style_hashes: insertedStyleHashes() };
  await writeFile(join(folder, 'build.json'), JSON.stringify(content));
}
