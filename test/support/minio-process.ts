import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { S3MediaStore } from '@sightline/media-s3/s3-media-store';
import type { S3Options } from '@sightline/media-s3/s3-options';
import { freePort } from '@sightline/local/free-port';
import { MINIO_BINARY } from './minio-binary.ts';

const START_TIMEOUT_MS = 20_000;

/** A MinIO of a test's own, which may be killed, stopped and started again with what it keeps. */
export class MinioProcess implements AsyncDisposable {
  readonly endpoint: URL;
  readonly accessKey = 'test-access-key';
  readonly secretKey = 'test-secret-key-which-nobody-may-see';
  readonly #folder: string;
  #server: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.endpoint = new URL(`http://127.0.0.1:${port}`);
  }

  /** @param parent where its files are; the system's folder for temporary ones if absent */
  static async start(parent: string = tmpdir()): Promise<MinioProcess> {
    const folder = await mkdtemp(join(parent, 'sightline-minio-'));
    const minio = new MinioProcess(folder, await freePort());
    await minio.start();
    return minio;
  }

  async start(): Promise<void> {
    const { host } = this.endpoint;
    const words = ['server', '--quiet', '--address', host, this.#folder];
    this.#server = spawn(MINIO_BINARY, words, {
      stdio: 'ignore',
      env: {
        ...{ PATH: process.env.PATH, HOME: this.#folder },
        MINIO_ROOT_USER: this.accessKey,
        MINIO_ROOT_PASSWORD: this.secretKey,
        MINIO_BROWSER: 'off',
        MINIO_UPDATE: 'off',
      },
    });
    const giveUpAt = Date.now() + START_TIMEOUT_MS;
    while (!(await isLive(this.endpoint))) {
      if (Date.now() > giveUpAt) throw new Error('MinIO did not start.');
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

  /** It keeps its connections, takes new ones, and answers none. */
  hang(): void {
    this.#server?.kill('SIGSTOP');
  }

  resume(): void {
    this.#server?.kill('SIGCONT');
  }

  /** The keys of all images in the service's bucket. */
  async mediaKeys(): Promise<string[]> {
    using store = new S3MediaStore({ ...this.options(), bucket: 'sightline' });
    const entries = await Array.fromAsync(store.list(''));
    return entries.map(({ key }) => key);
  }

  /** For a bucket of a test's own. */
  options(): S3Options {
    const { endpoint, accessKey, secretKey } = this;
    const readKeys = () => ({ accessKey, secretKey });
    const bucket = `sightline-${randomUUID()}`;
    return { endpoint, readKeys, bucket, region: 'us-east-1' };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function isLive(endpoint: URL): Promise<boolean> {
  return fetch(new URL('/minio/health/live', endpoint)).then(
    ({ ok }) => ok,
    () => false,
  );
}
