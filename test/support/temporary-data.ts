import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * A data folder that goes when it is disposed of, with all that belongs to it: the database that
 * stands elsewhere where root's folders are closed to it, and a server that outlived its service.
 */
export async function temporaryData(): Promise<AsyncDisposable & { readonly path: string }> {
  const parent = await mkdtemp(join(tmpdir(), 'sightline-data-'));
  const path = join(parent, 'data');
  return {
    path,
    async [Symbol.asyncDispose]() {
      const folder = join(path, 'postgres');
      const place = (await read(join(folder, 'place'))) ?? folder;
      await stopServer(join(place, 'cluster'));
      if (place !== folder) await rm(place, { recursive: true, force: true });
      await rm(parent, { recursive: true, force: true });
    },
  };
}

async function read(path: string): Promise<string | null> {
  return readFile(path, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}

/** Ends the server of a cluster, if one runs there, and waits until it has gone. */
async function stopServer(cluster: string): Promise<void> {
  const [line = ''] = ((await read(join(cluster, 'postmaster.pid'))) ?? '').split('\n');
  const pid = Number(line);
  if (!Number.isInteger(pid) || pid <= 0 || !(await runsIn(pid, cluster))) return;
  process.kill(pid, 'SIGQUIT');
  while (await runsIn(pid, cluster)) await sleep(20);
}

/** A process is only ended if it is the server of this cluster: pids are used again. */
async function runsIn(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') {
    return readlink(`/proc/${pid}/cwd`).then(
      (folder) => folder === cluster,
      () => false,
    );
  }
  const { stdout } = await run('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn']).catch(() => ({
    stdout: '',
  }));
  return stdout.split('\n').includes(`n${cluster}`);
}
