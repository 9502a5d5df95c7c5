import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answersAt } from '@sightline/dev-platform/answers';
import { freePort } from '@sightline/dev-platform/free-port';
import { KillableProcess } from './killable-process.ts';
import { pathOfTool } from './tools.ts';
import type { TestCertificate } from './test-certificate.ts';

export interface QdrantProcessOptions {
  /** The folder of the data; by default a temporary folder. */
  readonly folder?: string;
  readonly apiKey?: string;
  /** Turns on TLS. Clients must trust the certificate's authority. */
  readonly certificate?: TestCertificate;
  /**
   * Makes the server a node of a cluster. `joins` is the peer address of another node; null for the
   * first node.
   */
  readonly peer?: { readonly address: URL; readonly joins: URL | null };
}

/** A Qdrant that belongs to one test. It keeps its points when it is restarted. */
export class QdrantProcess extends KillableProcess {
  readonly url: URL;
  readonly #folder: string;

  private constructor(
    folder: string,
    [port, grpcPort]: readonly [number, number],
    options: QdrantProcessOptions,
  ) {
    const scheme = options.certificate === undefined ? 'http' : 'https';
    const url = new URL(`${scheme}://127.0.0.1:${port}`);
    super({
      name: 'qdrant',
      command: pathOfTool('qdrant'),
      args: ['--disable-telemetry', ...wordsOf(options)],
      environment: {
        PATH: process.env.PATH,
        HOME: folder,
        QDRANT_INIT_FILE_PATH: join(folder, 'initialized'),
        QDRANT__SERVICE__HOST: url.hostname,
        QDRANT__SERVICE__HTTP_PORT: url.port,
        QDRANT__SERVICE__GRPC_PORT: String(grpcPort),
        QDRANT__STORAGE__STORAGE_PATH: join(folder, 'storage'),
        QDRANT__STORAGE__SNAPSHOTS_PATH: join(folder, 'snapshots'),
        ...settingsOf(folder, options),
      },
      isReady: () => answersAt(new URL('/readyz', url).href),
    });
    this.#folder = folder;
    this.url = url;
  }

  static async start(options: QdrantProcessOptions = {}): Promise<QdrantProcess> {
    const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'sightline-qdrant-')));
    if (options.certificate !== undefined) {
      await writeFile(join(folder, 'cert.pem'), options.certificate.cert);
      await writeFile(join(folder, 'key.pem'), options.certificate.key);
    }
    const qdrant = new QdrantProcess(folder, [await freePort(), await freePort()], options);
    await qdrant.start();
    return qdrant;
  }

  /** Deletes the data. The server must not be running. */
  async loseDisk(): Promise<void> {
    await rm(join(this.#folder, 'storage'), { recursive: true, force: true });
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function wordsOf({ peer }: QdrantProcessOptions): string[] {
  if (peer === undefined) return [];
  const joins = peer.joins === null ? [] : ['--bootstrap', peer.joins.href];
  return ['--uri', peer.address.href, ...joins];
}

function settingsOf(folder: string, { apiKey, certificate, peer }: QdrantProcessOptions) {
  return {
    ...(apiKey !== undefined && { QDRANT__SERVICE__API_KEY: apiKey }),
    ...(certificate !== undefined && {
      QDRANT__SERVICE__ENABLE_TLS: 'true',
      QDRANT__TLS__CERT: join(folder, 'cert.pem'),
      QDRANT__TLS__KEY: join(folder, 'key.pem'),
    }),
    ...(peer !== undefined && {
      QDRANT__CLUSTER__ENABLED: 'true',
      QDRANT__CLUSTER__P2P__PORT: peer.address.port,
    }),
  };
}
