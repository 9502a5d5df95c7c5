import { chown, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import type pg from 'pg';
import { freePort } from '@sightline/dev-platform/free-port';
import { temporaryData } from '../fixtures/temporary-data.ts';
import { killPostgres, mainProcessOf, signalAll, stopPostgres } from './kill-postgres.ts';
import { type TestConnection, withClient } from './test-server.ts';

type Network = NonNullable<Parameters<typeof EmbeddedPostgres.open>[0]['network']>;

/**
 * A Postgres that belongs to one test. It listens on the network and requires passwords. The test
 * may kill it, pause it, and restart it at the same address.
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

  /**
   * @param folder the folder of the database, which disposal keeps; by default a temporary folder
   */
  static async start(folder?: string): Promise<PostgresProcess> {
    await using opening = new AsyncDisposableStack();
    const given = folder ?? join(opening.use(await temporaryData()).path, 'postgres');
    const network = { host: '127.0.0.1', port: await freePort(), password: 'the owner: %40/?' };
    const server = new PostgresProcess(given, network);
    await server.start();
    server.#resources.use(opening.move());
    return server;
  }

  /** The superuser's connection over the network. */
  get connection(): TestConnection {
    const { host, port, password } = this.#network;
    const { user, database } = this.#server!.connection;
    return { host, port, password, user, database };
  }

  async start(): Promise<void> {
    const place = { folder: this.#folder, network: this.#network };
    this.#server = await EmbeddedPostgres.open(place);
  }

  async kill(): Promise<void> {
    await killPostgres(await this.#atSocket(mainProcessOf));
  }

  /** Restarts the server as a standby without a primary, until it is promoted. */
  async demote(): Promise<void> {
    const cluster = await this.#atSocket((client) => show(client, 'data_directory'));
    const owner = await stat(cluster);
    await this.#server![Symbol.asyncDispose]();
    const signal = join(cluster, 'standby.signal');
    await writeFile(signal, '');
    await chown(signal, owner.uid, owner.gid);
    await this.start();
  }

  /**
   * Pauses the server. It keeps its connections and accepts new ones, but answers no request.
   * @returns the function that resumes the server
   */
  async hang(): Promise<() => void> {
    const pids = stopPostgres(await this.#atSocket(mainProcessOf));
    return () => signalAll(pids, 'SIGCONT');
  }

  /** Turns on TLS with this certificate, and refuses unencrypted connections over the network. */
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

  #atSocket<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
    return withClient(this.#server!.connection, use);
  }
}

async function show(client: pg.Client, setting: string): Promise<string> {
  const { rows } = await client.query<Record<string, string>>(`SHOW ${setting}`);
  return rows[0]![setting]!;
}
