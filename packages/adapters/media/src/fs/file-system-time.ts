import { chmod, stat } from 'node:fs/promises';

/**
 * Returns the current time by the clock of a folder's file system, in ms since 1970. A network file system has its
 * own clock. The time is read from the folder's change time after an update, which works on a full disk, too.
 *
 * @param folder a folder that belongs to this process's user
 */
export async function fileSystemTime(folder: string): Promise<number> {
  const { mode } = await stat(folder);
  // Setting the mode to its current value updates only the change time.
  await chmod(folder, mode);
  const { ctimeMs } = await stat(folder);
  return ctimeMs;
}
