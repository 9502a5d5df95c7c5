import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createToken } from '@sightline/core/accounts/secret-token';
import { SessionAuthenticator } from '@sightline/core/accounts/session-authenticator';
import { createKey } from '@sightline/core/api-keys/create-key';
import { KeyAuthenticator } from '@sightline/core/api-keys/key-authenticator';
import { SERVICE } from '@sightline/core/store/actor';
import { createLogger } from '@sightline/platform/logging/logger';
import { migrate } from '@sightline/postgres/migrate';
import { openPostgres } from '@sightline/postgres/open-postgres';
import pg from 'pg';
import { PostgresProcess } from '../support/servers/postgres-process.ts';
import { ok } from '../support/services/ok.ts';
import { type Bench, type Measured, passesIn, repeat } from './bench.ts';
import { spreadCell } from './cells.ts';
import { markdownTable } from './markdown-table.ts';
import { openFirstSides, type Sides } from './sides.ts';
import { median, percentile, timed } from './statistics.ts';

const WARM = 20_000;
const COLD = 500;
const SIGN_INS = 20;
const WRONG_EVERY_MS = 20;
/** The least number of timed operations, enough for a 99th percentile. */
const LEAST_OPERATIONS = 200;
const EMAIL = 'admin@localhost';

/** The times of one way to know a caller, in ms. */
interface Ways {
  readonly warm: readonly number[];
  readonly cold: readonly number[];
}

export async function measureAccounts(bench: Bench): Promise<Measured> {
  const { key, session, statement } = await authentications();
  await using sides = await openFirstSides(bench, { SIGHTLINE_TRUSTED_PROXIES: '127.0.0.1' });
  const signIns = await timesOfSignIns(sides);
  const { rounds: flooded, hashed } = await besideWrongSignIns(bench, sides);
  const audited = await withReadsAudited(bench, sides);
  const cells = ({ warm, cold }: Ways) => [
    median(warm).toFixed(4),
    percentile(warm, 0.99).toFixed(4),
    median(cold).toFixed(2),
  ];
  const text = `## Accounts

Milliseconds until a process knows the caller of a request. It remembers callers for four seconds; a cold one is one statement, and the
shortest statement takes ${median(statement).toFixed(2)} ms here.

${markdownTable(
  ['caller', 'warm, p50', 'p99', 'cold, p50'],
  [
    ['key', ...cells(key)],
    ['session', ...cells(session)],
  ],
)}

A sign-in over HTTP takes ${median(signIns).toFixed(0)} ms (p95 ${percentile(signIns, 0.95).toFixed(0)}). Milliseconds of one
identification at a time, alone and while ${1000 / WRONG_EVERY_MS} wrong sign-ins a second arrive from as many addresses for as many
accounts, of which the process hashes ${hashed.toFixed(0)} a second and refuses the others. The load generator runs on the same cores.

${markdownTable(['percentile', 'alone', 'beside wrong sign-ins', 'ratio'], percentiles(flooded))}

With the setting \`audit.reads\` the audit records each identification:

${markdownTable(['percentile', 'not recorded', 'recorded', 'ratio'], percentiles(audited))}`;
  return {
    text,
    goals: [
      ['knowing the caller of a key, warm p50', 'at most 0.3 ms', median(key.warm).toFixed(3)],
      ['knowing that of a session, warm p50', 'at most 0.5 ms', median(session.warm).toFixed(3)],
      ['a sign-in, p95', 'at most 400 ms', percentile(signIns, 0.95).toFixed(0)],
      ['p99 of identify beside wrong sign-ins / alone', 'at most 1.2', ratio99(flooded)],
      ['p99 of identify, recorded by the audit / not', 'at most 1.05', ratio99(audited)],
    ],
  };
}

function millisecondsOf(alone: readonly number[], beside: readonly number[]): string[] {
  const ratios = beside.map((time, at) => time / alone[at]!);
  return [median(alone).toFixed(1), median(beside).toFixed(1), spreadCell(ratios)];
}

async function authentications(): Promise<{
  readonly key: Ways;
  readonly session: Ways;
  readonly statement: readonly number[];
}> {
  await using database = await PostgresProcess.start();
  await migrate(database.connection);
  const logger = createLogger({ level: 'silent' });
  const reader = { kind: 'own', name: 'bench' } as const;
  await using store = openPostgres(database.connection, { logger, reader });
  const client = new pg.Client(database.connection);
  await client.connect();
  const { id } = await store.keys.environment('home');
  const right = { environment: 'home', right: 'full', isAdmin: false } as const;
  const { key } = await createKey(store, { ...right, label: 'bench', expiresAt: null });
  const draft = { name: 'Ada', isAdmin: false, passwordBy: 'owner', passwordHash: 'x' } as const;
  const account = await store.accounts.insert({ ...draft, email: 'ada@example.org' }, SERVICE);
  const { token, hash } = createToken();
  const origin = { address: null, userAgent: null, requestId: 'bench' };
  await store.sessions.open({ ...origin, accountId: account.id, passwordHash: 'x', hash });
  const byKey = () => {
    const keys = new KeyAuthenticator(store.keys);
    return () => keys.authenticate(key);
  };
  const bySession = () => {
    const sessions = new SessionAuthenticator(store.sessions);
    return () => sessions.authenticate(token, id);
  };
  const times = {
    key: await waysOf(byKey),
    session: await waysOf(bySession),
    statement: await repeat(COLD, () => timed(() => client.query('SELECT 1'))),
  };
  await client.end();
  return times;
}

/** @param open returns a way to know the caller that remembers nothing yet */
async function waysOf(open: () => () => Promise<unknown>): Promise<Ways> {
  const cold = await repeat(COLD, () => timed(open()));
  const authenticate = open();
  await authenticate();
  return { cold, warm: await repeat(WARM, () => timed(authenticate)) };
}

async function timesOfSignIns({ service }: Sides): Promise<readonly number[]> {
  const password = (await readFile(join(service.data, 'admin-password'), 'utf8')).trim();
  return repeat(SIGN_INS, () =>
    timed(async () => {
      const status = await signIn(service.url, { email: EMAIL, password });
      if (status !== 200) throw new Error(`The sign-in failed with ${status}.`);
    }),
  );
}

async function signIn(url: string, credentials: object): Promise<number> {
  const part = () => Math.floor(Math.random() * 65_536).toString(16);
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `2001:db8:${part()}:${part()}::1`,
    },
    body: JSON.stringify(credentials),
  });
  await response.arrayBuffer();
  return response.status;
}

/** The latencies of identify, one at a time, in ms. */
interface Round {
  readonly alone50: number;
  readonly beside50: number;
  readonly alone99: number;
  readonly beside99: number;
}

async function besideWrongSignIns(bench: Bench, sides: Sides) {
  const hashed: number[] = [];
  const rounds = await compareLatencies(bench, sides, () => {
    const over = new AbortController();
    const flooding = wrongSignIns(sides.service.url, over.signal);
    return async () => {
      over.abort();
      hashed.push(await flooding);
    };
  });
  return { rounds, hashed: hashed.reduce((sum, count) => sum + count, 0) / hashed.length };
}

/** Identifications alone, and those whose entries the audit records. */
function withReadsAudited(bench: Bench, sides: Sides): Promise<readonly Round[]> {
  const set = async (value: boolean) => {
    ok(await sides.service.client.putSetting({ path: { key: 'audit.reads' }, body: { value } }));
  };
  return compareLatencies(bench, sides, async () => {
    await set(true);
    return () => set(false);
  });
}

/** @param begin begins what the latencies of the second half of a round are measured beside, and returns what ends it */
async function compareLatencies(
  bench: Bench,
  { served, photos }: Sides,
  begin: () => (() => Promise<void>) | Promise<() => Promise<void>>,
): Promise<readonly Round[]> {
  const one = { workload: 'identify', concurrency: 1 } as const;
  const trial = await served.run({ ...one, operations: photos.length });
  const passes = photos.length * passesIn(bench, trial.seconds);
  const operations = Math.max(LEAST_OPERATIONS, passes);
  const latencies = async () => (await served.run({ ...one, operations })).milliseconds;
  return repeat(bench.rounds, async () => {
    const alone = await latencies();
    const end = await begin();
    const beside = await latencies();
    await end();
    return {
      alone50: median(alone),
      beside50: median(beside),
      alone99: percentile(alone, 0.99),
      beside99: percentile(beside, 0.99),
    };
  });
}

/** The rows of a table, for p50 and p99. */
function percentiles(rounds: readonly Round[]): string[][] {
  const all = (name: keyof Round) => rounds.map((round) => round[name]);
  return [
    ['p50', ...millisecondsOf(all('alone50'), all('beside50'))],
    ['p99', ...millisecondsOf(all('alone99'), all('beside99'))],
  ];
}

function ratio99(rounds: readonly Round[]): string {
  return median(rounds.map(({ alone99, beside99 }) => beside99 / alone99)).toFixed(2);
}

/** Returns how many of them were compared with a password each second. */
async function wrongSignIns(url: string, signal: AbortSignal): Promise<number> {
  const begun = performance.now();
  const answers: Promise<number>[] = [];
  while (!signal.aborted) {
    const email = `${randomUUID()}@example.org`;
    answers.push(signIn(url, { email, password: 'a wrong password' }));
    await sleep(WRONG_EVERY_MS);
  }
  const statuses = await Promise.all(answers);
  const seconds = (performance.now() - begun) / 1000;
  return statuses.filter((status) => status === 401).length / seconds;
}
