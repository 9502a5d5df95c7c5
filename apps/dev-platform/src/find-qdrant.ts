import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '@sightline/platform/config/read-environment';
import type { Config } from '@sightline/platform/config/variable-groups';
import { answersAt } from './answers.ts';
import { freePort } from './free-port.ts';
import { QDRANT_IMAGE } from './qdrant-image.ts';
import { ROOT } from './root.ts';
import { runCommand } from './run-command.ts';
import type { ProcessPlan } from './supervised-process.ts';

const PROGRAM = join(ROOT, '.cache/tools/qdrant');
const DOCKER_TIMEOUT_MS = 5_000;
/** Settings that turn off telemetry and the log line per request. */
const QUIET = { QDRANT__TELEMETRY_DISABLED: 'true', QDRANT__LOG_LEVEL: 'WARN' };

export interface QdrantChoice {
  readonly url: string;
  /** The origin of the server in words, for messages. */
  readonly origin: string;
  /** The process to start; null if the server runs outside the platform. */
  readonly plan: ProcessPlan | null;
}

/**
 * Returns the configured Qdrant server, else a server that this machine can run, else null. The machine can run a
 * Docker container or the program in the tools folder.
 */
export async function findQdrant(
  { qdrantUrl }: Pick<Config, 'qdrantUrl'>,
  { data, environment }: { readonly data: string; readonly environment: Environment },
): Promise<QdrantChoice | null> {
  if (qdrantUrl !== null) return { url: qdrantUrl, origin: 'SIGHTLINE_QDRANT_URL', plan: null };
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const isReady = () => answersAt(`${url}/readyz`);
  const storage = join(data, 'qdrant');
  if (await hasDocker(environment)) {
    const options = ['run', '--rm', '--name', `sightline-qdrant-${port}`];
    const mounts = ['-p', `127.0.0.1:${port}:6333`, '-v', `${storage}:/qdrant/storage`];
    const variables = Object.entries(QUIET).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const plan = {
      name: 'qdrant',
      command: 'docker',
      environment,
      isReady,
      args: [...options, ...mounts, ...variables, QDRANT_IMAGE],
    };
    return { url, origin: `Docker (${QDRANT_IMAGE})`, plan };
  }
  if (!(await isProgram(PROGRAM))) return null;
  const settings = {
    PATH: environment.PATH,
    HOME: data,
    QDRANT__SERVICE__HOST: '127.0.0.1',
    QDRANT__SERVICE__HTTP_PORT: String(port),
    // Qdrant always listens for gRPC, and another Qdrant server may already use the default port.
    QDRANT__SERVICE__GRPC_PORT: String(await freePort()),
    QDRANT__STORAGE__STORAGE_PATH: storage,
    QDRANT__STORAGE__SNAPSHOTS_PATH: join(storage, 'snapshots'),
    // Without this setting, Qdrant creates the file in the working directory.
    QDRANT_INIT_FILE_PATH: join(data, 'qdrant-initialized'),
    ...QUIET,
  };
  const plan = { name: 'qdrant', command: PROGRAM, args: [], environment: settings, isReady };
  return { url, origin: PROGRAM, plan };
}

/** Whether the Docker daemon answers. The Docker client alone does not suffice. */
async function hasDocker(environment: Environment): Promise<boolean> {
  const command = ['docker', 'version', '--format', '{{.Server.Version}}'] as const;
  try {
    const { code } = await runCommand(command, environment, AbortSignal.timeout(DOCKER_TIMEOUT_MS));
    return code === 0;
  } catch {
    return false;
  }
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
