import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answersAt } from '@sightline/dev-platform/answers';
import { freePorts } from '@sightline/dev-platform/free-port';
import { KillableProcess } from './killable-process.ts';
import { pathOfTool } from './tools.ts';

/** Garage prescribes the form of a key (GK and 24 hexadecimal digits) and of its secret (64 digits). */
const ACCESS_KEY = 'GK0123456789abcdef01234567';
const SECRET_KEY = '89abcdef'.repeat(8);

/** A Garage of one node that belongs to one test. It keeps its objects when it is killed and restarted. */
export class GarageProcess extends KillableProcess {
  readonly endpoint: URL;
  readonly accessKey = ACCESS_KEY;
  readonly secretKey = SECRET_KEY;
  readonly #folder: string;

  private constructor(folder: string, [port, adminPort]: readonly [number, number]) {
    super({
      name: 'garage',
      command: pathOfTool('garage'),
      args: ['-c', configOf(folder), 'server', '--single-node', '--default-access-key'],
      environment: {
        PATH: process.env.PATH,
        HOME: folder,
        GARAGE_DEFAULT_ACCESS_KEY: ACCESS_KEY,
        GARAGE_DEFAULT_SECRET_KEY: SECRET_KEY,
      },
      isReady: () => answersAt(`http://127.0.0.1:${adminPort}/health`),
    });
    this.#folder = folder;
    this.endpoint = new URL(`http://127.0.0.1:${port}`);
  }

  static async start(): Promise<GarageProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-garage-'));
    const [port, rpcPort, adminPort] = (await freePorts(3)) as [number, number, number];
    const config = `
metadata_dir = "${folder}/meta"
data_dir = "${folder}/data"
db_engine = "lmdb"
replication_factor = 1
rpc_bind_addr = "127.0.0.1:${rpcPort}"
rpc_public_addr = "127.0.0.1:${rpcPort}"
rpc_secret = "${randomBytes(32).toString('hex')}"
[s3_api]
s3_region = "us-east-1"
api_bind_addr = "127.0.0.1:${port}"
[admin]
api_bind_addr = "127.0.0.1:${adminPort}"
`;
    await writeFile(configOf(folder), config);
    const garage = new GarageProcess(folder, [port, adminPort]);
    await garage.start();
    return garage;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

function configOf(folder: string): string {
  return join(folder, 'garage.toml');
}
