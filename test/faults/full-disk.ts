import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mountSmall } from '../support/fixtures/small-file-system.ts';
import type { Fault } from './breakable-service.ts';

/** Why no disk of a test can be full here; undefined if it can. */
export function cannotFillDisk(): string | undefined {
  using disk = mountSmall(1);
  return disk === null ? 'this account cannot mount a small file system' : undefined;
}

/** All but some bytes of a small disk are taken. */
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
