import { chmod, stat } from 'node:fs/promises';

/**
 * The time of the file system that holds a folder, in ms since 1970: a network file system has a clock
 * of its own. It is read from the folder's change time, so it takes no space, and works on a full disk.
 *
 * @param folder belongs to the account of this process
 */
export async function fileSystemTime(folder: string): Promise<number> {
  const { mode } = await stat(folder);
  // The mode stays as it is; the file system notes when it was set.
  await chmod(folder, mode);
  const { ctimeMs } = await stat(folder);
  return ctimeMs;
}
