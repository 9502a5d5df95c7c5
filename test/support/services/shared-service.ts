import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@sightline/contracts/client';
import pg from 'pg';
import { getTypeParser } from '../fixtures/get-type-parser.ts';
import { decidedRows, type Queried } from '../fixtures/decided-rows.ts';
import { portableRows } from '../fixtures/portable-rows.ts';
import { onceInRun, runFolder } from '../jest/once-in-run.ts';
import type { HostedService, ServiceKind } from './hosted-service.ts';
import { type RunningService, ServiceClient } from './running-service.ts';
import { runCommand } from './running-standalone.ts';

const HOST = join(import.meta.dirname, 'host-service.ts');

/** An environment that belongs to one suite, on a service that the run shares. */
export interface SharedService extends RunningService {
  /**
   * A client with the first key of the installation, an administrator's, in an environment that all
   * suites share.
   */
  readonly admin: Client;
  readonly adminKey: string;
  /** The URL of the operations listener; null if the service has several. */
  readonly opsUrl: string | null;
  /** Returns all rows of the environment that an archive contains. */
  readonly rows: () => ReturnType<typeof portableRows>;
  /** Returns the rows of what people decide in the environment. */
  readonly decidedRows: () => ReturnType<typeof decidedRows>;
}

/**
 * Takes a new environment of a service that all suites of the run share. The first suite that
 * requests the kind of service starts it, and the end of the run stops it. Suites that test starts,
 * faults, settings of the installation or exact metrics need a service of their own instead.
 */
export async function sharedService(kind: ServiceKind): Promise<SharedService> {
  const hosted = await onceInRun(kind, () => startHost(kind));
  const { urls, opsUrl, apiKey: adminKey, commandEnvironment, owner, logFile } = hosted;
  const log = () => readFileSync(logFile, 'utf8').split('\n').filter(Boolean);
  const sightline = (...args: string[]) => runCommand(commandEnvironment, args);
  const installation = new ServiceClient({ urls, apiKey: adminKey, log, sightline });
  const environment = randomUUID();
  const { key: apiKey } = await installation.createKey({ environment, right: 'full' });
  return Object.assign(new ServiceClient({ urls, apiKey, environment, log, sightline }), {
    opsUrl,
    adminKey,
    admin: installation.client,
    rows: () =>
      inEnvironment(owner, environment, (client, id) =>
        portableRows(async (text, values) => (await client.query(text, [...values])).rows, id),
      ),
    decidedRows: () => inEnvironment(owner, environment, decidedRows),
    // Disposal does nothing, because other suites still use the service.
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}

async function inEnvironment<T>(
  owner: HostedService['owner'],
  name: string,
  read: (client: Queried, environmentId: number) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...owner, types: { getTypeParser } });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: number }>(
      'SELECT id FROM environments WHERE name = $1',
      [name],
    );
    return await read(client, rows[0]!.id);
  } finally {
    await client.end();
  }
}

/**
 * Starts the process that hosts the service. The host outlives this process, which may be a worker
 * of jest.
 * @throws Error with the host's output if the host exits instead
 */
async function startHost(kind: ServiceKind): Promise<HostedService> {
  const file = (ending: string) => join(runFolder(), `${kind}.${ending}`);
  await using output = await open(file('out'), 'w');
  const child = spawn(process.execPath, [HOST, kind, file('hosted')], {
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
  });
  await writeFile(file('pid'), String(child.pid));
  child.unref();
  for (;;) {
    const hosted = await readFile(file('hosted'), 'utf8').catch(() => null);
    if (hosted !== null) return JSON.parse(hosted) as HostedService;
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded)
      throw new Error(`The ${kind} did not start: ${await readFile(file('out'), 'utf8')}`);
    await delay(50);
  }
}
