import { constants, type Dirent } from 'node:fs';
import { copyFile, mkdir, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './sync-folder.ts';

export interface CopiedTree {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Copies a folder with its subfolders to an empty or absent folder. Only the owner can read the new folders. When the
 * promise resolves, the copy is completely on disk (fsync).
 *
 * @param excluded names of files and folders directly in `from` that are not copied
 * @throws Error if a file changes during the copy, or for an entry that is neither a file nor a folder
 */
export async function copyTree(
  from: string,
  to: string,
  excluded: ReadonlySet<string> = new Set(),
): Promise<CopiedTree> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  let [files, bytes] = [0, 0];
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (excluded.has(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    const copied = await copyEntry(entry, source, target);
    files += copied.files;
    bytes += copied.bytes;
  }
  await syncFolder(to);
  return { files, bytes };
}

async function copyEntry(entry: Dirent, source: string, target: string): Promise<CopiedTree> {
  if (entry.isDirectory()) return copyTree(source, target);
  if (!entry.isFile()) throw new Error(`${source} is neither a file nor a folder`);
  return { files: 1, bytes: await copyDurably(source, target) };
}

async function copyDurably(source: string, target: string): Promise<number> {
  // With COPYFILE_FICLONE, both files share their blocks if the file system supports reflinks. Otherwise the bytes
  // are copied.
  await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await syncFile(target);
  const [{ size }, copy] = await Promise.all([stat(source), stat(target)]);
  if (copy.size !== size) throw new Error(`${source} changed while it was copied`);
  return size;
}

async function syncFile(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}
