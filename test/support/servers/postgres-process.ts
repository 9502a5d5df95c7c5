import { execFileSync } from 'node:child_process';
import { chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import type pg from 'pg';
import { freePort } from '@sightline/dev-platform/free-port';
import { temporaryData } from '../fixtures/temporary-data.ts';
import { type TestConnection, withClient } from './test-server.ts';

type Network = NonNullable<Parameters<typeof EmbeddedPostgres.open>[0]['network']>;

/**
 * A Postgres of a test's own that listens on the network and asks for passwords, which may be killed,
 * stopped and started again at the same address.
 */
export class PostgresProcess implements AsyncDisposable {
  readonly #resources = new AsyncDisposableStack();
  readonly #folder: string;
  readonly #network: Network;
  #server: EmbeddedPostgres | undefined;

  private constructor(folder: string, network: Network) {
    this.#folder = folder;
    this.#network = network;
  }

  /** @param folder where its database is, which is left there; one of its own if absent */
  static async start(folder?: string): Promise<PostgresProcess> {
    await using opening = new AsyncDisposableStack();
    const given = folder ?? join(opening.use(await temporaryData()).path, 'postgres');
    const network = { host: '127.0.0.1', port: await freePort(), password: 'the owner: %40/?' };
    const server = new PostgresProcess(given, network);
    await server.start();
    server.#resources.use(opening.move());
    return server;
  }

  /** As the cluster's superuser, over the network. */
  get connection(): TestConnection {
    const { host, port, password } = this.#network;
    const { user, database } = this.#server!.connection;
    return { host, port, password, user, database };
  }

  async start(): Promise<void> {
    const place = { folder: this.#folder, network: this.#network };
    this.#server = await EmbeddedPostgres.open(place);
  }

  /** Ends it without warning, and all that it was doing. */
  async kill(): Promise<void> {
    const pids = await this.#stopped();
    signalAll(pids, 'SIGKILL');
    while (pids.some(isAlive)) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Starts it again as a standby, which follows no primary until it is promoted. */
  async demote(): Promise<void> {
    const cluster = await this.#atSocket((client) => show(client, 'data_directory'));
    const owner = await stat(cluster);
    await this.#server![Symbol.asyncDispose]();
    const signal = join(cluster, 'standby.signal');
    await writeFile(signal, '');
    await chown(signal, owner.uid, owner.gid);
    await this.start();
  }

  /** It keeps its connections, takes new ones, and answers none; answers what makes it go on. */
  async hang(): Promise<() => void> {
    const pids = await this.#stopped();
    return () => signalAll(pids, 'SIGCONT');
  }

  /** Shows this certificate from now on, and takes nothing over the network that is not encrypted. */
  async encrypt({ cert, key }: { readonly cert: string; readonly key: string }): Promise<void> {
    await this.#atSocket(async (client) => {
      const cluster = await show(client, 'data_directory');
      const owner = await stat(cluster);
      const put = async (name: string, text: string): Promise<void> => {
        await writeFile(join(cluster, name), text, { mode: 0o600 });
        await chown(join(cluster, name), owner.uid, owner.gid);
      };
      await put('server.crt', cert);
      await put('server.key', key);
      const access = 'local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n';
      await put('pg_hba.conf', access);
      await client.query('ALTER SYSTEM SET ssl = on');
      await client.query('SELECT pg_reload_conf()');
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    await this.#resources.disposeAsync();
  }

  /** All its processes, none of which goes on. The first one stops first: then there are no new ones. */
  async #stopped(): Promise<readonly number[]> {
    const main = await this.#atSocket(async (client) => {
      const { rows } = await client.query<{ text: string }>(
        `SELECT pg_read_file('postmaster.pid') AS text`,
      );
      return Number.parseInt(rows[0]!.text);
    });
    signalAll([main], 'SIGSTOP');
    while (!ps('-o', 'stat=', '-p', String(main)).startsWith('T'));
    const children = ps('-o', 'pid=', '--ppid', String(main)).split(/\s+/).map(Number);
    signalAll(children, 'SIGSTOP');
    return [main, ...children];
  }

  #atSocket<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
    return withClient(this.#server!.connection, use);
  }
}

async function show(client: pg.Client, setting: string): Promise<string> {
  const { rows } = await client.query<Record<string, string>>(`SHOW ${setting}`);
  return rows[0]![setting]!;
}

function ps(...args: readonly string[]): string {
  return execFileSync('ps', args, { encoding: 'utf8' }).trim();
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // A backend may have ended since.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
