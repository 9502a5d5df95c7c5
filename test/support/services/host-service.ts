import { appendFileSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildConsole } from '@sightline/console/build/build-console';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import pg from 'pg';
import { runFolder } from '../jest/once-in-run.ts';
import { isAlive, runnerOf } from '../jest/run-owner.ts';
import { chooseQdrant, liveQdrant } from '../servers/choose-qdrant.ts';
import type { HostedService, ServiceKind } from './hosted-service.ts';
import { type RunningPlatform, startPlatform } from './running-platform.ts';
import { startStandalone } from './running-standalone.ts';

/** The interval at which the host checks whether jest still runs, in ms. */
const LOOK_MS = 2_000;

/**
 * A process that starts a service, writes the service's addresses into a file, and stops the
 * service at SIGTERM, or after jest has died. Its arguments are the kind of service and the file.
 */
const [kind, file] = process.argv.slice(2) as [ServiceKind, string];
const logFile = `${file}.log`;
writeFileSync(logFile, '');
const onLine = (line: string): void => appendFileSync(logFile, `${line}\n`);

type Hosting = Omit<HostedService, 'logFile'>;

const KINDS: Readonly<Record<ServiceKind, (resources: AsyncDisposableStack) => Promise<Hosting>>> =
  {
    async standalone(resources) {
      const { url, opsUrl, apiKey, data } = resources.use(
        await startStandalone(
          { SIGHTLINE_CONSOLE_DIR: await buildConsole({ isChecked: true }) },
          { onLine },
        ),
      );
      const { connection: owner } = await EmbeddedPostgres.attach({
        folder: join(data, 'postgres'),
      });
      return { urls: [url], opsUrl, apiKey, commandEnvironment: { SIGHTLINE_DATA: data }, owner };
    },
    async platform(resources) {
      const platform = resources.use(await startPlatform({ onLine }));
      return hostingOf(platform, environmentOf(platform, 'service-1'));
    },
    async 'platform-with-qdrant'(resources) {
      const qdrant = resources.use(await liveQdrant(chooseQdrant()!));
      const settings = { SIGHTLINE_QDRANT_API_KEY: qdrant.apiKey ?? '' };
      const platform = resources.use(
        await startPlatform({ settings, qdrant: qdrant.url.href, onLine }),
      );
      const environment = environmentOf(platform, 'api-1');
      qdrant.alsoRemove(await installationOf(environment.SIGHTLINE_DATABASE_URL!));
      return hostingOf(platform, environment);
    },
  };

async function hostingOf(
  platform: RunningPlatform,
  commandEnvironment: Hosting['commandEnvironment'],
): Promise<Hosting> {
  const { urls, apiKey } = platform;
  const { args } = platform.process('database').plan;
  const owner = await ownerIn(args[args.indexOf('--folder') + 1]!);
  return { urls, opsUrl: null, apiKey, commandEnvironment, owner };
}

/** Returns the owner's local connection to the database in the folder. */
async function ownerIn(folder: string): Promise<Hosting['owner']> {
  return (await EmbeddedPostgres.attach({ folder })).connection;
}

/** Returns the settings of one of the platform's processes. */
function environmentOf(platform: RunningPlatform, name: string): Record<string, string> {
  const { environment } = platform.process(name).plan;
  const ours = Object.entries(environment).filter(([name]) => name.startsWith('SIGHTLINE_'));
  return Object.fromEntries(ours) as Record<string, string>;
}

/** Returns the id of the installation, which is part of the names of its collections in Qdrant. */
async function installationOf(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  url.username = 'sightline_platform';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>('SELECT id FROM installation');
    return rows[0]!.id;
  } finally {
    await client.end();
  }
}

async function endOfRun(): Promise<void> {
  const runner = runnerOf(runFolder());
  const stopping = new AbortController();
  process.once('SIGTERM', () => stopping.abort());
  while (!stopping.signal.aborted && isAlive(runner)) {
    await delay(LOOK_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
}

const ended = endOfRun();
await using resources = new AsyncDisposableStack();
const hosting: Hosting = await KINDS[kind](resources);
await writeFile(`${file}.new`, JSON.stringify({ ...hosting, logFile } satisfies HostedService));
await rename(`${file}.new`, file);
await ended;
