import { setTimeout as delay } from 'node:timers/promises';
import { DataFolder, holderOf } from '@sightline/platform/data-folder/data-folder';
import type { FolderVersion } from '@sightline/platform/data-folder/folder-version';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/**
 * A stopping service finishes its requests and stops its database. This timeout is longer than the timeouts of both
 * steps.
 */
const STOP_TIMEOUT_MS = 120_000;

/** The time in which a process that has just locked the folder writes its pid, in ms. */
const SETTLED_MS = 500;

/**
 * Locks a data folder for this process. A service that uses it is stopped first.
 *
 * @throws StartError if the service does not stop, or cannot be signaled
 */
export async function takeOverFolder(
  data: string,
  { version, note }: { readonly version: FolderVersion; readonly note: (line: string) => void },
): Promise<DataFolder> {
  const folder = await DataFolder.attach(data, version);
  if (!folder.shared) return folder;
  const pid = await settledHolder(folder.path);
  note(`Stopping Sightline (process ${pid}), which uses ${folder.path}. It is not restarted.`);
  requestStop(pid, folder.path);
  const giveUpAt = performance.now() + STOP_TIMEOUT_MS;
  while (performance.now() < giveUpAt) {
    await delay(100);
    const taken = await DataFolder.attach(data, version);
    if (!taken.shared) return taken;
  }
  throw new StartError(`Process ${pid} still uses ${folder.path}: end it, then try again.`);
}

/**
 * Reads the holder's pid twice, because the first pid may be left from a previous holder and may now belong to an
 * unrelated process.
 */
async function settledHolder(folder: string): Promise<number> {
  const first = await holderOf(folder);
  await delay(SETTLED_MS);
  const holder = await holderOf(folder);
  if (holder !== undefined && holder === first) return holder;
  throw new StartError(`Another process has just started to use ${folder}: try again.`);
}

function requestStop(pid: number, folder: string): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    throw new StartError(
      `The process that uses ${folder} (${pid}) cannot be stopped from here: stop it, then try again.`,
      { cause: error },
    );
  }
}
