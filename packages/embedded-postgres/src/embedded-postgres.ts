import { mkdir, realpath } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Logger } from '@sightline/platform/logging/logger';
import { findBinaries, reachableBinaries } from './binaries.ts';
import { choosePlace } from './choose-place.ts';
import { DATABASE, ensureCluster, OWNER } from './ensure-cluster.ts';
import { answers, findServer, type FoundServer } from './find-server.ts';
import { hasCode } from './has-code.ts';
import { placeOf } from './postgres-home.ts';
import type { PostgresTools } from './run-postgres.ts';
import type { ServerNetwork } from './server-settings.ts';
import { startServer } from './start-server.ts';
import { stopServer } from './stop-server.ts';

/** How to reach the database as its owner; anyone who gets to the socket is let in. */
export interface EmbeddedConnection {
  /** The folder of the socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

export interface EmbeddedPostgresOptions {
  /** Of the database within the data folder; made if it is not there. */
  readonly folder: string;
  /** Absent: the server listens at a socket alone, where only this account gets to. */
  readonly network?: ServerNetwork;
  readonly logger?: Logger;
  readonly signal?: AbortSignal;
}

/** How long a server that starts or stops at this moment may take to make up its mind. */
const PATIENCE_MS = 60_000;

/** A Postgres server of this machine's own, with its database in a folder. */
export class EmbeddedPostgres implements AsyncDisposable {
  readonly connection: EmbeddedConnection;
  /** Where the database stands: the folder, or a place elsewhere for a root whose folder is closed. */
  readonly place: string;
  /** Whether the server was running before, as it does after the end of a process that was killed. */
  readonly adopted: boolean;
  readonly #stop: () => Promise<void>;

  private constructor(
    place: string,
    server: FoundServer,
    { adopted, stop }: { adopted: boolean; stop: () => Promise<void> },
  ) {
    const { socketFolder, port } = server;
    this.connection = { host: socketFolder ?? '', port, user: OWNER, database: DATABASE };
    this.place = place;
    this.adopted = adopted;
    this.#stop = stop;
  }

  /**
   * Starts the server of a folder, or adopts the one that still runs there; disposing stops it. The
   * caller sees to it that no other process uses the folder.
   *
   * @throws StartError if the database cannot be made or used; the signal's AbortError
   */
  static async open({
    folder,
    network,
    logger,
    signal,
  }: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const tools = await prepare(folder);
    await ensureCluster(tools, { password: network?.password, signal });
    const found = await awaitServer(tools.place, signal);
    const running = await unlessElsewhere(tools.place, found, network);
    const server = running ?? (await startServer(tools, { network, signal }));
    const stop = async (): Promise<void> => {
      if (await stopServer(tools.place)) return;
      logger?.warn({ place: tools.place }, 'the database was stopped before it had finished');
    };
    return new EmbeddedPostgres(tools.place, server, { adopted: running !== undefined, stop });
  }

  /**
   * The server that another process runs in the folder; disposing leaves it running.
   *
   * @throws StartError if there is none within a minute
   */
  static async attach({
    folder,
    signal,
  }: Pick<EmbeddedPostgresOptions, 'folder' | 'signal'>): Promise<EmbeddedPostgres> {
    const giveUpAt = Date.now() + PATIENCE_MS;
    do {
      const place = await placeOf(await realpath(folder).catch(() => folder));
      const server = await findServer(place);
      if (server !== undefined && (await answers(server))) {
        return new EmbeddedPostgres(place, server, {
          adopted: true,
          stop: () => Promise.resolve(),
        });
      }
      await delay(100, undefined, { signal });
    } while (Date.now() < giveUpAt);
    throw new StartError(
      `No database runs in ${folder}: is the service that uses it about to stop?`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }
}

async function prepare(folder: string): Promise<PostgresTools> {
  try {
    const binaries = await findBinaries();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const home = await choosePlace(await realpath(folder));
    if (home.account === undefined) return { ...home, binaries };
    return { ...home, binaries: await reachableBinaries(binaries, home.account, home.place) };
  } catch (error) {
    const refused = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST'];
    if (!refused.some((code) => hasCode(error, code))) throw error;
    throw new StartError(
      `The database in ${folder} cannot be prepared: ${(error as Error).message}.`,
      { cause: error },
    );
  }
}

/** A server that listens at another port than it is to is stopped. */
async function unlessElsewhere(
  place: string,
  running: FoundServer | undefined,
  network: ServerNetwork | undefined,
): Promise<FoundServer | undefined> {
  if (running === undefined || network === undefined || running.port === network.port) {
    return running;
  }
  await stopServer(place);
  return undefined;
}

/** The server that runs already, once it takes connections; undefined if there is none or it ends. */
async function awaitServer(
  place: string,
  signal: AbortSignal | undefined,
): Promise<FoundServer | undefined> {
  const giveUpAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const server = await findServer(place);
    if (server === undefined || (await answers(server))) return server;
    if (Date.now() > giveUpAt) {
      throw new StartError(
        `A Postgres server (process ${server.pid}) holds the database in ${place} and does not answer: end it, then start again.`,
      );
    }
    await delay(100, undefined, { signal });
  }
}
