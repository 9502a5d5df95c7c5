import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answersAt } from '@sightline/local/answers';
import { freePort } from '@sightline/local/free-port';
import { KillableProcess } from './killable-process.ts';
import { QDRANT_BINARY } from './qdrant-binary.ts';

/** A Qdrant of a test's own; one that is started again has what it had. */
export class QdrantProcess extends KillableProcess {
  readonly url: URL;
  readonly #folder: string;

  private constructor(folder: string, [port, peerPort]: readonly [number, number]) {
    const url = new URL(`http://127.0.0.1:${port}`);
    super({
      ...{ name: 'qdrant', command: QDRANT_BINARY, args: ['--disable-telemetry'] },
      environment: {
        ...{ PATH: process.env.PATH, HOME: folder },
        QDRANT_INIT_FILE_PATH: join(folder, 'initialized'),
        QDRANT__SERVICE__HOST: url.hostname,
        QDRANT__SERVICE__HTTP_PORT: url.port,
        QDRANT__SERVICE__GRPC_PORT: String(peerPort),
        QDRANT__STORAGE__STORAGE_PATH: join(folder, 'storage'),
        QDRANT__STORAGE__SNAPSHOTS_PATH: join(folder, 'snapshots'),
      },
      isReady: () => answersAt(new URL('/readyz', url).href),
    });
    this.#folder = folder;
    this.url = url;
  }

  static async start(): Promise<QdrantProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-qdrant-'));
    const qdrant = new QdrantProcess(folder, [await freePort(), await freePort()]);
    await qdrant.start();
    return qdrant;
  }

  /** Takes away what it keeps, while it is not running. */
  async loseDisk(): Promise<void> {
    await rm(join(this.#folder, 'storage'), { recursive: true, force: true });
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
