import { once } from 'node:events';
import { readFile, readlink, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { hasCode } from './has-code.ts';
import { clusterOf } from './postgres-home.ts';
import { runProgram } from './run-program.ts';

/** A server as its `postmaster.pid` describes it. */
export interface FoundServer {
  readonly pid: number;
  readonly port: number;
  /** The folder of its socket; undefined until it has one. */
  readonly socketFolder: string | undefined;
  /** Whether it has started and is not about to stop. */
  readonly ready: boolean;
}

function pidFile(place: string): string {
  return join(clusterOf(place), 'postmaster.pid');
}

/**
 * The server that runs on the cluster of a place, whoever started it. A pid file that a crash left
 * behind may name a process that has nothing to do with it, and a copied one another's server.
 */
export async function findServer(place: string): Promise<FoundServer | undefined> {
  const found = await readPidFile(place);
  if (found === undefined || !isAlive(found.pid)) return undefined;
  return (await serves(found.pid, clusterOf(place))) ? found : undefined;
}

/**
 * Removes the pid file of a former server whose pid another process has by now: Postgres would not
 * start beside it. It copes with every other pid file that was left behind.
 */
export async function removeForeignPidFile(place: string): Promise<void> {
  const named = await readPidFile(place);
  if (named === undefined || !isAlive(named.pid)) return;
  if (!(await serves(named.pid, clusterOf(place)))) await rm(pidFile(place), { force: true });
}

async function readPidFile(place: string): Promise<FoundServer | undefined> {
  let text: string;
  try {
    text = await readFile(pidFile(place), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  // Lines: pid, data directory, time of the start, port, folder of the socket, address, memory, state
  const [pid, , , port, socketFolder, , , state] = text.split('\n').map((line) => line.trim());
  if (!/^\d+$/.test(pid ?? '')) return undefined;
  return {
    pid: Number(pid),
    port: Number(port),
    socketFolder: socketFolder === '' ? undefined : socketFolder,
    ready: state === 'ready',
  };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another account is alive all the same.
    return hasCode(error, 'EPERM');
  }
}

/** Postgres makes its data directory the working directory of its server. */
async function serves(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') {
    return readlink(`/proc/${pid}/cwd`).then(
      (folder) => folder === cluster,
      () => false,
    );
  }
  const { output } = await runProgram('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn']);
  return output.split('\n').includes(`n${cluster}`);
}

/** Whether the server takes connections at its socket. */
export async function answers({ socketFolder, port, ready }: FoundServer): Promise<boolean> {
  if (!ready || socketFolder === undefined) return false;
  const socket = connect(join(socketFolder, `.s.PGSQL.${port}`));
  const answered = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return answered;
}
