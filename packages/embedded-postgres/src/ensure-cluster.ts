import { chown, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { hasCode } from './has-code.ts';
import { clusterOf } from './postgres-home.ts';
import { type PostgresTools, runPostgres } from './run-postgres.ts';
import { syncFolder } from './sync-folder.ts';

/** The release of Postgres whose databases this one can read. */
export const POSTGRES_MAJOR = 18;

/** The role that owns the database. */
export const OWNER = 'sightline_owner';
export const DATABASE = 'sightline';

/**
 * What pg_trgm goes by to tell letters from the rest; it knows nothing of the builtin locale. In plain
 * C, names in other alphabets have no trigrams, and are found by their exact text alone.
 */
const CHARACTER_TYPES = ['C.UTF-8', 'en_US.UTF-8'];

/** How the names of clusters in the making begin; an interrupted first start leaves one behind. */
const HALF_MADE = 'cluster.new-';

export interface ClusterMaking {
  /** Of the owner, for those who do not come by the socket; absent: nobody else gets in. */
  readonly password?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes the cluster with the empty database on the first start; all of it or nothing is seen.
 *
 * @throws StartError if it cannot be made, or if the one that is there cannot be used
 */
export async function ensureCluster(
  tools: PostgresTools,
  making: ClusterMaking = {},
): Promise<void> {
  const cluster = clusterOf(tools.place);
  await removeHalfMade(tools.place);
  if (await isMissing(cluster)) {
    const half = await makeCluster(tools, making);
    await rename(half, cluster);
    await syncFolder(tools.place);
  }
  await checkMajor(cluster);
}

/** If its start was killed, initdb may still be at work there: it gives up when its files vanish. */
async function removeHalfMade(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    if (!name.startsWith(HALF_MADE)) continue;
    await rm(join(place, name), { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

/** An empty folder is no cluster either; the new one takes its place. */
async function isMissing(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true;
    throw error;
  }
}

/** @returns the path of a complete cluster that has yet to get its name */
async function makeCluster(tools: PostgresTools, making: ClusterMaking): Promise<string> {
  const half = await mkdtemp(join(tools.place, HALF_MADE));
  if (tools.account !== undefined) await chown(half, tools.account.uid, tools.account.gid);
  const made = await initialize(tools, half, making);
  if (made.code !== 0) throw cannotMake(tools.place, made.output);
  // Without a server, so that a cluster without its database is never seen.
  const created = await runPostgres(
    tools,
    ['postgres', '--single', '-D', basename(half), '-c', 'exit_on_error=on', 'postgres'],
    { input: `CREATE DATABASE ${DATABASE};\n`, signal: making.signal },
  );
  if (created.code !== 0) throw cannotMake(tools.place, created.output);
  return half;
}

/** Initializes with the first character type that this system has. */
async function initialize(
  tools: PostgresTools,
  folder: string,
  { password, signal }: ClusterMaking,
): ReturnType<typeof runPostgres> {
  const secret = `${folder}.password`;
  if (password !== undefined) await writeFor(tools, secret, password);
  const initialized = (characterType: string) =>
    runPostgres(
      tools,
      [
        ...(['initdb', '-D', basename(folder), '-U', OWNER] as const),
        ...['--auth-local=trust', '--encoding=UTF8', '--no-instructions'],
        ...(password === undefined
          ? ['--auth-host=reject']
          : ['--auth-host=scram-sha-256', `--pwfile=${secret}`]),
        ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
        `--lc-ctype=${characterType}`,
      ],
      { signal },
    );
  try {
    for (const characterType of CHARACTER_TYPES) {
      const made = await initialized(characterType);
      if (made.code === 0 || !made.output.includes('locale')) return made;
    }
    return await initialized('C');
  } finally {
    await rm(secret, { force: true });
  }
}

/** For the eyes of the account that runs the programs. */
async function writeFor({ account }: PostgresTools, path: string, text: string): Promise<void> {
  await writeFile(path, `${text}\n`, { mode: 0o600 });
  if (account !== undefined) await chown(path, account.uid, account.gid);
}

function cannotMake(place: string, output: string): StartError {
  const reason = output.split('\n').findLast((line) => /error|fatal|panic/i.test(line));
  return new StartError(
    `A database cannot be made in ${place}: ${reason ?? output.split('\n').at(-1) ?? ''}`,
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
      `The database in ${cluster} was made by Postgres ${major.trim()}, but this Sightline runs Postgres ${POSTGRES_MAJOR}: start the Sightline that made it, or begin with an empty data folder.`,
    );
  }
}
