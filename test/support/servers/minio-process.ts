import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answersAt } from '@sightline/dev-platform/answers';
import { freePort } from '@sightline/dev-platform/free-port';
import { S3MediaStore } from '@sightline/media/s3/s3-media-store';
import type { S3Keys, S3Options } from '@sightline/media/s3/s3-options';
import type { S3Settings } from '@sightline/platform/config/read-s3-settings';
import { KillableProcess } from './killable-process.ts';
import { pathOfTool } from './tools.ts';

const ACCESS_KEY = 'test-access-key';
const SECRET_KEY = 'test-secret-key-which-nobody-may-see';

/** A MinIO that belongs to one test. It keeps its objects when it is restarted. */
export class MinioProcess extends KillableProcess {
  readonly endpoint: URL;
  readonly accessKey = ACCESS_KEY;
  readonly secretKey = SECRET_KEY;
  readonly #folder: string;

  private constructor(folder: string, port: number, environment: Readonly<Record<string, string>>) {
    const address = `127.0.0.1:${port}`;
    super({
      name: 'minio',
      command: pathOfTool('minio'),
      args: ['server', '--quiet', '--address', address, folder],
      environment: {
        PATH: process.env.PATH,
        HOME: folder,
        MINIO_ROOT_USER: ACCESS_KEY,
        MINIO_ROOT_PASSWORD: SECRET_KEY,
        MINIO_BROWSER: 'off',
        MINIO_UPDATE: 'off',
        ...environment,
      },
      isReady: () => answersAt(`http://${address}/minio/health/live`),
    });
    this.#folder = folder;
    this.endpoint = new URL(`http://${address}`);
  }

  /**
   * @param parent the folder for the server's files; by default the system's folder for temporary
   * files
   * @param environment more variables of the server
   */
  static async start(
    parent: string = tmpdir(),
    environment: Readonly<Record<string, string>> = {},
  ): Promise<MinioProcess> {
    const folder = await mkdtemp(join(parent, 'sightline-minio-'));
    const minio = new MinioProcess(folder, await freePort(), environment);
    await minio.start();
    return minio;
  }

  /** Lists the keys of all images in the service's bucket. */
  async mediaKeys(): Promise<string[]> {
    using store = new S3MediaStore({ ...this.options(), bucket: 'sightline' });
    const entries = await Array.fromAsync(store.list(''));
    return entries.map(({ key }) => key);
  }

  /** Returns the options of a new bucket. */
  options(): S3Options & { readonly keys: () => S3Keys } {
    const { endpoint, accessKey, secretKey } = this;
    const keys = () => ({ accessKey, secretKey });
    const bucket = `sightline-${randomUUID()}`;
    return { endpoint, keys, bucket, region: 'us-east-1' };
  }

  /**
   * Returns the options of a new bucket like {@link MinioProcess.options}, in the form of a
   * configuration.
   */
  settings(): S3Settings {
    const { accessKey, secretKey } = this;
    const keys = () => ({ accessKey, secretKey, sessionToken: null });
    return { ...this.options(), keys, virtualHosts: false };
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
