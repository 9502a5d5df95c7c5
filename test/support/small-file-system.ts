import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own, in memory, that goes when it is disposed of. */
export interface SmallFileSystem extends Disposable {
  readonly path: string;
}

/** Null where this account may not mount. */
export function mountSmall(megabytes: number): SmallFileSystem | null {
  const path = mkdtempSync(join(tmpdir(), 'sightline-small-'));
  try {
    const options = `size=${megabytes}m,mode=755`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmdirSync(path);
    return null;
  }
  return {
    path,
    [Symbol.dispose]() {
      execFileSync('umount', [path]);
      rmdirSync(path);
    },
  };
}
