import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@sightline/local/free-port';
import { QDRANT_BINARY } from './qdrant-binary.ts';

const START_TIMEOUT_MS = 60_000;

/** A Qdrant of a test's own, which may be killed, stopped and started again with what it keeps. */
export class QdrantProcess implements AsyncDisposable {
  readonly url: URL;
  readonly #folder: string;
  readonly #peerPort: number;
  #server: ChildProcess | undefined;

  private constructor(folder: string, ports: readonly [number, number]) {
    this.#folder = folder;
    this.url = new URL(`http://127.0.0.1:${ports[0]}`);
    this.#peerPort = ports[1];
  }

  static async start(): Promise<QdrantProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-qdrant-'));
    const qdrant = new QdrantProcess(folder, [await freePort(), await freePort()]);
    await qdrant.start();
    return qdrant;
  }

  async start(): Promise<void> {
    this.#server = spawn(QDRANT_BINARY, ['--disable-telemetry'], {
      ...{ cwd: this.#folder, stdio: 'ignore' },
      env: {
        ...{ PATH: process.env.PATH, HOME: this.#folder },
        QDRANT__SERVICE__HOST: '127.0.0.1',
        QDRANT__SERVICE__HTTP_PORT: this.url.port,
        QDRANT__SERVICE__GRPC_PORT: String(this.#peerPort),
        QDRANT__STORAGE__STORAGE_PATH: join(this.#folder, 'storage'),
        QDRANT__STORAGE__SNAPSHOTS_PATH: join(this.#folder, 'snapshots'),
      },
    });
    const giveUpAt = Date.now() + START_TIMEOUT_MS;
    while (!(await isReady(this.url))) {
      if (Date.now() > giveUpAt) throw new Error('Qdrant did not start.');
      await delay(50);
    }
  }

  /** Ends it without warning. */
  async kill(): Promise<void> {
    const server = this.#server;
    if (server?.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  }

  /** Takes away what it keeps, while it is not running. */
  async loseDisk(): Promise<void> {
    await rm(join(this.#folder, 'storage'), { recursive: true, force: true });
  }

  /** It keeps its connections, takes new ones, and answers none. */
  hang(): void {
    this.#server?.kill('SIGSTOP');
  }

  resume(): void {
    this.#server?.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function isReady(url: URL): Promise<boolean> {
  return fetch(new URL('/readyz', url)).then(
    ({ ok }) => ok,
    () => false,
  );
}
