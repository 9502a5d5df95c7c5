import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { buildConsole } from '@sightline/console/build/build-console';
import { dirname, join, relative, resolve } from 'node:path';
import { imagePackages, isExcluded, type Lockfile, parseFileList } from './image-files.ts';

/**
 * Writes the content of an image into a folder: `write-image-folder.ts FOLDER`. The Dockerfile uses it, and
 * so do images that are made without Docker. Only the console is built; nothing else is compiled or bundled.
 */
const ROOT = resolve(import.meta.dirname, '../..');
const NODE = ['x64', 'arm64'].map((cpu) => `node_modules/node-linux-${cpu}/bin/node`);

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error('Usage: write-image-folder.ts FOLDER');
const parsed = parseFileList(await readFile(join(import.meta.dirname, 'files'), 'utf8'));
const foreign = process.arch === 'x64' ? 'arm64' : 'x64';
const list = {
  ...parsed,
  excluded: [...parsed.excluded, `node_modules/onnxruntime-node/bin/*/linux/${foreign}/**`],
};
const lockfile = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile;
const { folders, links } = imagePackages(lockfile, list);

for (const path of list.included) await copy(path);
// The lockfile also names packages of other platforms, which are not installed.
for (const path of folders) if (existsSync(join(ROOT, path))) await copy(path);
for (const { path, workspace } of links) {
  await mkdir(join(target, dirname(path)), { recursive: true });
  await symlink(relative(dirname(path), workspace), join(target, path));
}
const node = NODE.find((path) => existsSync(join(ROOT, path)));
if (node === undefined) throw new Error('The packages are not installed: run npm ci.');
await cp(await buildConsole(), join(target, 'console'), { recursive: true });
await cp(join(ROOT, node), join(target, 'node'));
await cp(join(ROOT, dirname(dirname(node)), 'LICENSE'), join(target, 'LICENSE.node'));

async function copy(path: string): Promise<void> {
  await cp(join(ROOT, path), join(target!, path), {
    recursive: true,
    filter: (source) => !isExcluded(relative(ROOT, source), list),
  });
}
