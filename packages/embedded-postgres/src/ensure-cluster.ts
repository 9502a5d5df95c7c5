import { chown, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { syncFolder } from '@sightline/platform/data-folder/sync-folder';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { withPlainPath } from './binaries.ts';
import { hasCode } from './has-code.ts';
import { clusterOf } from './postgres-home.ts';
import { type PostgresTools, runPostgres } from './run-postgres.ts';

/** The major version of Postgres. A server reads only databases of its own major version. */
export const POSTGRES_MAJOR = 18;

export const OWNER = 'sightline_owner';
export const DATABASE = 'sightline';

/**
 * The locales for the character type, in order of preference. pg_trgm ignores the builtin locale and uses this one to
 * recognize letters. With plain C, names in non-Latin alphabets have no trigrams and are found only by their exact
 * text.
 */
const CHARACTER_TYPES = ['C.UTF-8', 'en_US.UTF-8'];

/** The name prefix of incomplete clusters, which an interrupted first start leaves behind. */
const INCOMPLETE = 'cluster.new-';

export interface ClusterOptions {
  /** The owner's password for network connections. Without it, network connections are rejected. */
  readonly password?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates the cluster with an empty database on the first start, atomically.
 *
 * @throws StartError if the cluster cannot be created, or an existing cluster cannot be used
 */
export async function ensureCluster(
  tools: PostgresTools,
  options: ClusterOptions = {},
): Promise<void> {
  const cluster = clusterOf(tools.location);
  await removeIncomplete(tools.location);
  if (await isMissing(cluster)) {
    const temporary = await createCluster(tools, options);
    await rename(temporary, cluster);
    await syncFolder(tools.location);
  }
  await checkMajor(cluster);
}

/**
 * Deletes incomplete clusters. If initdb of a killed start is still running in one, it aborts because its files
 * disappear.
 */
async function removeIncomplete(location: string): Promise<void> {
  for (const name of await readdir(location)) {
    if (!name.startsWith(INCOMPLETE)) continue;
    await rm(join(location, name), {
      recursive: true,
      force: true,
      maxRetries: 20,
      retryDelay: 50,
    });
  }
}

/** Whether the cluster must be created. An empty folder counts as missing, and the new cluster replaces it. */
async function isMissing(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true;
    throw error;
  }
}

/** @returns the path of a complete cluster under a temporary name */
async function createCluster(tools: PostgresTools, options: ClusterOptions): Promise<string> {
  const temporary = await mkdtemp(join(tools.location, INCOMPLETE));
  if (tools.account !== undefined) await chown(temporary, tools.account.uid, tools.account.gid);
  const result = await withPlainPath(tools.binaries, (binaries) =>
    initialize({ ...tools, binaries }, temporary, options),
  );
  if (result.code !== 0) throw creationFailed(tools.location, result.output);
  // The database is created in single-user mode, so that a cluster without its database is never visible.
  const created = await runPostgres(
    tools,
    ['postgres', '--single', '-D', basename(temporary), '-c', 'exit_on_error=on', 'postgres'],
    { input: `CREATE DATABASE ${DATABASE};\n`, signal: options.signal },
  );
  if (created.code !== 0) throw creationFailed(tools.location, created.output);
  return temporary;
}

/** Runs initdb with the first locale that the system supports. */
async function initialize(
  tools: PostgresTools,
  folder: string,
  { password, signal }: ClusterOptions,
): ReturnType<typeof runPostgres> {
  const secret = `${folder}.password`;
  if (password !== undefined) await writeFor(tools, secret, password);
  const initialized = (characterType: string) =>
    runPostgres(
      tools,
      [
        ...(['initdb', '-D', basename(folder), '-U', OWNER] as const),
        '--auth-local=trust',
        '--encoding=UTF8',
        '--no-instructions',
        ...(password === undefined
          ? ['--auth-host=reject']
          : ['--auth-host=scram-sha-256', `--pwfile=${secret}`]),
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        `--lc-ctype=${characterType}`,
      ],
      { signal },
    );
  try {
    for (const characterType of CHARACTER_TYPES) {
      const result = await initialized(characterType);
      if (result.code === 0 || !result.output.includes('locale')) return result;
    }
    return await initialized('C');
  } finally {
    await rm(secret, { force: true });
  }
}

/** Writes a file that only the account of the Postgres programs can read. */
async function writeFor({ account }: PostgresTools, path: string, text: string): Promise<void> {
  await writeFile(path, `${text}\n`, { mode: 0o600 });
  if (account !== undefined) await chown(path, account.uid, account.gid);
}

function creationFailed(location: string, output: string): StartError {
  const reason = output.split('\n').findLast((line) => /error|fatal|panic/i.test(line));
  return new StartError(
    `Cannot create a database in ${location}: ${reason ?? output.split('\n').at(-1) ?? ''}`,
  );
}

async function checkMajor(cluster: string): Promise<void> {
  const major = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (major === undefined) {
    throw new StartError(
      `The database in ${cluster} is damaged: its file PG_VERSION is missing. Restore a backup.`,
    );
  }
  if (major.trim() !== String(POSTGRES_MAJOR)) {
    throw new StartError(
      `The database in ${cluster} was created by Postgres ${major.trim()}, but this Sightline runs Postgres ${POSTGRES_MAJOR}: start the Sightline version that created it, or use an empty data folder.`,
    );
  }
}
