import { mkdir, realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Logger } from '@sightline/platform/logging/logger';
import { type Binaries, findBinaries, reachableBinaries } from './binaries.ts';
import { chooseLocation } from './choose-location.ts';
import { DATABASE, ensureCluster, OWNER } from './ensure-cluster.ts';
import {
  accepts,
  findServer,
  type FoundServer,
  isRunning,
  isStopping,
  quitAtExit,
} from './find-server.ts';
import { hasCode } from './has-code.ts';
import { KeptServer } from './kept-server.ts';
import { locationOf } from './postgres-home.ts';
import type { PostgresTools } from './run-postgres.ts';
import type { ServerNetwork } from './server-settings.ts';
import { startServer } from './start-server.ts';
import { removeSocketFolder } from './socket-folder.ts';
import { endServer, stopServer } from './stop-server.ts';

/** The connection settings of the database owner. The socket needs no password, because its folder is private. */
export interface EmbeddedConnection {
  /** The folder of the socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export interface EmbeddedPostgresOptions {
  /** The folder of the database within the data folder. A missing folder is created. */
  readonly folder: string;
  /** Without a network address, the server listens only on a socket that only this account can access. */
  readonly network?: ServerNetwork;
  readonly binaries?: Binaries;
  /** Whether the server is started again if it ends before the disposal, or begins to stop before the signal aborts. */
  readonly keepsRunning?: boolean;
  readonly logger?: Logger;
  readonly signal?: AbortSignal;
}

/** The time limit for a server that is starting or stopping, in ms. */
const WAIT_MS = 60_000;

export class EmbeddedPostgres implements AsyncDisposable {
  readonly connection: EmbeddedConnection;
  /** The folder of the database. This is an external folder if the server's account cannot enter root's data folder. */
  readonly location: string;
  /** Whether the server was already running, for example because the process that started it was killed. */
  readonly adopted: boolean;
  readonly #stop: () => Promise<void>;

  private constructor(
    location: string,
    server: FoundServer,
    { adopted, stop }: { adopted: boolean; stop: () => Promise<void> },
  ) {
    const { socketFolder, port } = server;
    this.connection = { host: socketFolder ?? '', port, user: OWNER, database: DATABASE };
    this.location = location;
    this.adopted = adopted;
    this.#stop = stop;
  }

  /**
   * Starts the server of a folder, or takes over a server that is still running. Disposal stops the server. The caller
   * ensures that no other process uses the folder.
   *
   * @throws StartError if the database cannot be created or used; the signal's AbortError
   */
  static async open({
    folder,
    network,
    binaries,
    keepsRunning = false,
    logger,
    signal,
  }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const tools = await prepare(folder, binaries);
    await ensureCluster(tools, { password: network?.password, signal });
    const found = await waitForServer(tools.location, signal);
    const running = await unlessOtherPort(tools.location, found, network);
    const server = running ?? (await startServer(tools, { network, signal }));
    const kept = keepsRunning ? keep(tools, { server, network, logger, signal }) : null;
    const forget = quitAtExit(() => (kept ?? server).pid, tools.location);
    const stop = async (): Promise<void> => {
      await kept?.[Symbol.asyncDispose]();
      const isClean = await stopServer(tools.location);
      // No server is found if it was being started again, and that start has just been aborted.
      if (server.socketFolder !== undefined) {
        await removeSocketFolder(server.socketFolder, tools.location);
      }
      forget();
      if (isClean) return;
      logger?.warn(
        { location: tools.location },
        'the database did not shut down cleanly; it recovers at the next start',
      );
    };
    return new EmbeddedPostgres(tools.location, server, { adopted: running !== undefined, stop });
  }

  /**
   * Connects to the server that another process runs in the folder. Disposal leaves the server running.
   *
   * @throws StartError if no server accepts connections within a minute
   */
  static async attach({
    folder,
    signal,
  }: Pick<EmbeddedPostgresOptions, 'folder' | 'signal'>): Promise<EmbeddedPostgres> {
    const deadline = performance.now() + WAIT_MS;
    do {
      const location = await locationOf(await realpath(folder).catch(() => folder));
      const server = await findServer(location);
      if (server !== undefined && (await accepts(server))) {
        return new EmbeddedPostgres(location, server, {
          adopted: true,
          stop: () => Promise.resolve(),
        });
      }
      await delay(100, undefined, { signal });
    } while (performance.now() < deadline);
    throw new StartError(`No database is running in ${folder}: is its service shutting down?`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }
}

function keep(
  tools: PostgresTools,
  {
    server,
    network,
    logger,
    signal,
  }: { readonly server: FoundServer } & Pick<
    EmbeddedPostgresOptions,
    'network' | 'logger' | 'signal'
  >,
): KeptServer {
  return new KeptServer(server, {
    isRunning: ({ pid }) => isRunning(pid),
    async isStopping({ pid }) {
      // A supervisor that stops this process may stop the server, too. The sessions then serve the last requests.
      return signal?.aborted !== true && (await isStopping(tools.location, pid));
    },
    async start({ socketFolder }, stop) {
      const found = await waitForServer(tools.location, stop);
      return found ?? (await startServer(tools, { network, socketFolder, signal: stop }));
    },
    logger,
  });
}

async function prepare(folder: string, given: Binaries | undefined): Promise<PostgresTools> {
  try {
    const binaries = given ?? (await findBinaries());
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const home = await chooseLocation(await realpath(folder));
    if (home.account === undefined) return { ...home, binaries };
    return { ...home, binaries: await reachableBinaries(binaries, home.account) };
  } catch (error) {
    const refused = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST'];
    if (!refused.some((code) => hasCode(error, code))) throw error;
    throw new StartError(`Cannot prepare the database in ${folder}: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

/** Stops a running server if it listens on another port than the configured one. */
async function unlessOtherPort(
  location: string,
  running: FoundServer | undefined,
  network: ServerNetwork | undefined,
): Promise<FoundServer | undefined> {
  if (running === undefined || network === undefined || running.port === network.port) {
    return running;
  }
  await stopServer(location);
  return undefined;
}

/**
 * Waits until a running server accepts connections; returns undefined if no server is running or it ends. Ends a server
 * that is stopping, because it would wait for its sessions.
 */
async function waitForServer(
  location: string,
  signal: AbortSignal | undefined,
): Promise<FoundServer | undefined> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const server = await findServer(location);
    if (server === undefined || (await accepts(server))) return server;
    if (server.state === 'stopping') await endServer(location, server);
    if (performance.now() > deadline) {
      throw new StartError(
        `A Postgres server (process ${server.pid}) is using the database in ${location} and does not respond: stop that process, then start again.`,
      );
    }
    await delay(100, undefined, { signal });
  }
}
