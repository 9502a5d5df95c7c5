import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { readFile, readlink, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { hasCode } from './has-code.ts';
import { clusterOf } from './postgres-home.ts';
import { runProgram } from './run-program.ts';

/** A server, as described in its file `postmaster.pid`. */
export interface FoundServer {
  readonly pid: number;
  readonly port: number;
  /** The folder of the server's socket; undefined before the socket exists. */
  readonly socketFolder: string | undefined;
  /** A server that is `stopping` refuses new sessions, and may wait for the end of the open ones. */
  readonly state: 'starting' | 'ready' | 'stopping';
}

function pidFile(location: string): string {
  return join(clusterOf(location), 'postmaster.pid');
}

/**
 * Finds the server of a location's cluster, whichever process started it. The pid file alone does not suffice: after a
 * crash its pid may belong to another program, and a copied pid file names the server of another folder.
 */
export async function findServer(location: string): Promise<FoundServer | undefined> {
  const found = await readPidFile(location);
  if (found === undefined || !isAlive(found.pid)) return undefined;
  return (await serves(found.pid, clusterOf(location))) ? found : undefined;
}

/**
 * Whether the server with this process id is shutting down. The pid file suffices, because the caller knows the process.
 * It is read twice a second, and where there is no /proc, {@link findServer} would start a program each time.
 */
export async function isStopping(location: string, pid: number): Promise<boolean> {
  const named = await readPidFile(location).catch(() => undefined);
  return named?.pid === pid && named.state === 'stopping';
}

/**
 * Removes the pid file of a crashed server if another program now has its pid, because Postgres would refuse to start.
 * Postgres itself handles all other outdated pid files.
 */
export async function removeForeignPidFile(location: string): Promise<void> {
  const named = await readPidFile(location);
  if (named === undefined || !isAlive(named.pid)) return;
  if (!(await serves(named.pid, clusterOf(location)))) await rm(pidFile(location), { force: true });
}

async function readPidFile(location: string): Promise<FoundServer | undefined> {
  let text: string;
  try {
    text = await readFile(pidFile(location), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  // The lines of the file are: pid, data directory, start time, port, socket folder, address, memory, state.
  const [pid, , , port, socketFolder, , , state] = text.split('\n').map((line) => line.trim());
  if (!/^\d+$/.test(pid ?? '')) return undefined;
  return {
    pid: Number(pid),
    port: Number(port),
    socketFolder: socketFolder === '' ? undefined : socketFolder,
    state: state === 'ready' || state === 'stopping' ? state : 'starting',
  };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // With EPERM, the process belongs to another account, so it is running.
    return hasCode(error, 'EPERM');
  }
}

/**
 * Whether a process still runs. A process that has ended keeps its id until its parent reads the exit status, which some
 * parents never do. Linux shows no working directory of it; elsewhere it counts as running.
 */
export function isRunning(pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    readlinkSync(`/proc/${pid}/cwd`);
    return true;
  } catch (error) {
    return !hasCode(error, 'ENOENT');
  }
}

/**
 * Ends a server at once if this process exits without having stopped it, for example after a second signal. The server
 * runs in a session of its own, so it would go on without an owner. Its next start recovers from the write-ahead log.
 *
 * @param currentPid returns the id of the server's process, which changes if the server is started again
 * @returns a function that cancels this, to be called after the server has stopped
 */
export function quitAtExit(currentPid: () => number, location: string): () => void {
  const quit = (): void => {
    const pid = currentPid();
    if (!isAlive(pid) || !mayServe(pid, clusterOf(location))) return;
    process.kill(pid, 'SIGQUIT');
  };
  process.once('exit', quit);
  return () => void process.off('exit', quit);
}

/** Like {@link serves}, for a process that exits and cannot wait. Where this cannot be found out, it is assumed. */
function mayServe(pid: number, cluster: string): boolean {
  try {
    return process.platform !== 'linux' || readlinkSync(`/proc/${pid}/cwd`) === cluster;
  } catch {
    return false;
  }
}

/** Whether the process is a server of the cluster. The working directory of a Postgres server is its data directory. */
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

export async function accepts({ socketFolder, port, state }: FoundServer): Promise<boolean> {
  if (state !== 'ready' || socketFolder === undefined) return false;
  const socket = connect(join(socketFolder, `.s.PGSQL.${port}`));
  const accepted = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return accepted;
}
