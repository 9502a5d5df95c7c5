import { setTimeout as delay } from 'node:timers/promises';
import { DataFolder, holderOf } from '@sightline/platform/data-folder/data-folder';
import type { FolderVersion } from '@sightline/platform/data-folder/folder-version';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/** A service finishes what runs and stops its database; both have their time-outs. */
const STOP_TIMEOUT_MS = 120_000;

/** A process that has just taken the folder needs this long at most to say so. */
const SETTLED_MS = 500;

/**
 * Takes a data folder for this process; a service that holds it is asked to stop, and waited for.
 *
 * @throws StartError if it does not stop, or is out of reach
 */
export async function takeOverFolder(
  data: string,
  { version, note }: { readonly version: FolderVersion; readonly note: (line: string) => void },
): Promise<DataFolder> {
  const folder = await DataFolder.attach(data, version);
  if (!folder.shared) return folder;
  const pid = await settledHolder(folder.path);
  note(
    `Sightline (process ${pid}) uses ${folder.path} and is asked to stop; it is not started again.`,
  );
  requestStop(pid, folder.path);
  const giveUpAt = Date.now() + STOP_TIMEOUT_MS;
  while (Date.now() < giveUpAt) {
    await delay(100);
    const taken = await DataFolder.attach(data, version);
    if (!taken.shared) return taken;
  }
  throw new StartError(`Process ${pid} still uses ${folder.path}: end it, then try again.`);
}

/** Asked twice: the first answer may be that of a former process, whose pid another one has by now. */
async function settledHolder(folder: string): Promise<number> {
  const first = await holderOf(folder);
  await delay(SETTLED_MS);
  const holder = await holderOf(folder);
  if (holder !== undefined && holder === first) return holder;
  throw new StartError(`Another process has just begun to use ${folder}: try again.`);
}

function requestStop(pid: number, folder: string): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    throw new StartError(
      `The process that uses ${folder} cannot be stopped from here (it says that it is ${pid}): stop it, then try again.`,
      { cause: error },
    );
  }
}
