import { execFileSync } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mountSmall } from '../support/fixtures/small-file-system.ts';
import type { Fault } from './breakable-service.ts';

/** Returns why no test can fill a disk here; undefined if tests can. */
export function cannotFillDisk(): string | undefined {
  using disk = mountSmall(1);
  return disk === null ? 'this account cannot mount a small file system' : undefined;
}

/** Fills a small disk except for this number of bytes. */
export function fullness(disk: string, bytesLeft = 0): Fault {
  const filler = join(disk, 'filler');
  return {
    async begin() {
      const { bavail, bsize } = await statfs(disk);
      await writeFile(filler, Buffer.alloc(bavail * bsize - bytesLeft)).catch(() => undefined);
    },
    end: () => rm(filler),
  };
}

/**
 * Makes a disk read-only for files that are opened from now on. Files that are already open stay writable, so
 * the remount succeeds.
 */
export function readOnliness(disk: string): Fault {
  return {
    begin() {
      execFileSync('mount', ['--bind', disk, disk]);
      execFileSync('mount', ['-o', 'remount,bind,ro', disk]);
    },
    end() {
      execFileSync('umount', [disk]);
    },
  };
}
