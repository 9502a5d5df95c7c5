import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsence, withStoreErrors } from './store-error.ts';

export interface ListedFile {
  /** The path relative to the root, with slashes. */
  readonly key: string;
  readonly size: number;
  /** The time of the last change in ms since 1970, by the clock of the file system. */
  readonly modifiedMs: number;
}

const READ_AHEAD = 256;

/**
 * Lists the files below a folder whose relative path starts with the prefix. Folders are read while the caller iterates;
 * files that are deleted during the iteration may be missing. The prefix is only compared with paths, so that a hostile
 * prefix cannot lead out of the folder.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function* listFiles(
  root: string,
  prefix: string,
  signal?: AbortSignal,
): AsyncIterable<ListedFile> {
  const pending = [''];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for await (const entry of entriesOf(join(root, folder), signal)) {
      const key = folder + entry.name;
      if (entry.isDirectory() && mayHold(`${key}/`, prefix)) pending.push(`${key}/`);
      const file = entry.isFile() && key.startsWith(prefix) && (await describe(root, key, signal));
      if (file) yield file;
    }
  }
}

function mayHold(folder: string, prefix: string): boolean {
  return folder.startsWith(prefix) || prefix.startsWith(folder);
}

async function* entriesOf(folder: string, signal?: AbortSignal): AsyncIterable<Dirent> {
  const opened = await ifThere(() => opendir(folder, { bufferSize: READ_AHEAD }), signal);
  if (opened === null) return;
  try {
    for (;;) {
      const entry = await withStoreErrors(() => opened.read(), signal);
      if (entry === null) return;
      yield entry;
    }
  } finally {
    await opened.close();
  }
}

async function describe(
  root: string,
  key: string,
  signal?: AbortSignal,
): Promise<ListedFile | null> {
  const file = await ifThere(() => lstat(join(root, key)), signal);
  return file && { key, size: file.size, modifiedMs: file.mtimeMs };
}

/** Runs work on a file or folder; returns null if that file or folder does not exist. */
export function ifThere<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T | null> {
  return withStoreErrors(async () => {
    try {
      return await work();
    } catch (error) {
      if (isAbsence(error)) return null;
      throw error;
    }
  }, signal);
}
