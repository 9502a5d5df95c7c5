import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe } from '@jest/globals';
import { QDRANT_IMAGE } from '@sightline/dev-platform/qdrant-image';
import { GenericContainer, Wait } from 'testcontainers';
import { hasDocker } from '../gates/has-docker.ts';
import { hasQdrantBinary } from './qdrant-binary.ts';
import { QdrantProcess } from './qdrant-process.ts';
import { readRecording, recordServer, replayServer } from './recorded-server.ts';

const PORT = 6333;
const RECORDINGS = resolve(import.meta.dirname, '../../contract/recordings');
const RECORD = 'make record-qdrant';
const SOURCES = 'a Qdrant: SIGHTLINE_TEST_QDRANT_URL, Docker, or one at .cache/tools/qdrant';

interface QdrantServer extends AsyncDisposable {
  readonly url: URL;
  readonly apiKey?: string;
}

/** A Qdrant for tests, or a recording of one. */
export interface TestQdrant extends QdrantServer {
  /** UUID of an installation that nobody else has there; what it leaves goes at the end. */
  installation(): string;
  /** What this installation leaves there goes at the end too. */
  alsoRemove(installation: string): void;
  /** @throws Error if something was asked that is not in the recording */
  verify(): void;
}

type Start = () => Promise<TestQdrant>;

/** How to come by a real one: the one that is given, else Docker's, else a process. */
function chooseServer(): (() => Promise<QdrantServer>) | null {
  const given = process.env.SIGHTLINE_TEST_QDRANT_URL ?? '';
  if (given !== '') return () => Promise.resolve(givenServer(new URL(given)));
  if (hasDocker()) return startContainer;
  return hasQdrantBinary() ? () => QdrantProcess.start() : null;
}

/**
 * A suite that needs a Qdrant, with the way to start it. Where there is none, what a real one answered
 * is replayed from `recording`, a file in test/contract/recordings; the name says so.
 */
export function describeWithQdrant(
  name: string,
  recording: string,
  body: (start: Start) => void,
): void {
  const file = resolve(RECORDINGS, recording);
  const start = chooseServer();
  const records = process.env.SIGHTLINE_TEST_QDRANT_RECORD === '1';
  if (start === null && records) throw none();
  if (start !== null && records) describe(name, () => body(() => recorded(start, file)));
  else if (start !== null) describe(name, () => body(() => live(start)));
  else if (!existsSync(file))
    describe.skip(skipped(name), () => body(() => Promise.reject(none())));
  else {
    const { version } = readRecording(file);
    const replayed = `${name} [replayed: Qdrant ${version} as recorded; "${RECORD}" does so anew]`;
    describe(replayed, () => body(() => replay(file)));
  }
}

/** A suite that asks its Qdrant what no recording knows; named as skipped where there is none. */
export function describeWithLiveQdrant(name: string, body: (start: Start) => void): void {
  const start = chooseServer();
  if (start !== null) describe(name, () => body(() => live(start)));
  else describe.skip(skipped(name, SOURCES), () => body(() => Promise.reject(none())));
}

/** A suite that kills and stops its Qdrant, which has to be a process of this machine. */
export function describeWithQdrantProcess(name: string, body: () => void): void {
  if (hasQdrantBinary()) describe(name, body);
  else describe.skip(skipped(name), body);
}

function skipped(name: string, what = 'a Qdrant at .cache/tools/qdrant'): string {
  return `${name} [skipped: needs ${what}]`;
}

function none(): Error {
  return new Error('There is no Qdrant: name one in SIGHTLINE_TEST_QDRANT_URL, or start Docker.');
}

async function live(start: () => Promise<QdrantServer>): Promise<TestQdrant> {
  const server = await start();
  const installations: string[] = [];
  return {
    ...{ url: server.url, ...(server.apiKey !== undefined && { apiKey: server.apiKey }) },
    installation: () => {
      const installation = randomUUID();
      installations.push(installation);
      return installation;
    },
    alsoRemove: (installation) => installations.push(installation),
    verify: () => undefined,
    async [Symbol.asyncDispose]() {
      await removeCollections(server, installations);
      await server[Symbol.asyncDispose]();
    },
  };
}

async function recorded(start: () => Promise<QdrantServer>, file: string): Promise<TestQdrant> {
  const server = await start();
  const installations = Array.from({ length: 100 }, (_, n) => numbered(n));
  await removeCollections(server, installations);
  const proxy = await recordServer(server.url, headersOf(server));
  const root = await fetch(server.url, { headers: headersOf(server) });
  const { version } = (await root.json()) as { readonly version: string };
  return {
    ...{ url: proxy.url, installation: numbering(), verify: () => undefined },
    alsoRemove: (installation) => installations.push(installation),
    async [Symbol.asyncDispose]() {
      proxy.save(file, version);
      await proxy[Symbol.asyncDispose]();
      await removeCollections(server, installations);
      await server[Symbol.asyncDispose]();
    },
  };
}

async function replay(file: string): Promise<TestQdrant> {
  const server = await replayServer(readRecording(file), RECORD);
  return { ...server, installation: numbering(), alsoRemove: () => undefined };
}

/** The same installations in every run. */
function numbering(): () => string {
  let last = 0;
  return () => numbered(last++);
}

function numbered(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

async function removeCollections(server: QdrantServer, owners: readonly string[]): Promise<void> {
  const prefixes = owners.map((installation) => `sightline-${installation.slice(-12)}-`);
  const headers = headersOf(server);
  const response = await fetch(new URL('/collections', server.url), { headers });
  const { result } = (await response.json()) as {
    readonly result: { readonly collections: readonly { readonly name: string }[] };
  };
  for (const { name } of result.collections) {
    if (!prefixes.some((prefix) => name.startsWith(prefix))) continue;
    await fetch(new URL(`/collections/${name}`, server.url), { method: 'DELETE', headers });
  }
}

function headersOf({ apiKey }: QdrantServer): Record<string, string> {
  return apiKey === undefined ? {} : { 'api-key': apiKey };
}

function givenServer(url: URL): QdrantServer {
  const apiKey = process.env.SIGHTLINE_TEST_QDRANT_API_KEY ?? '';
  return {
    ...{ url, ...(apiKey !== '' && { apiKey }) },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function startContainer(): Promise<QdrantServer> {
  const container = await new GenericContainer(QDRANT_IMAGE)
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forHttp('/readyz', PORT))
    .start();
  return {
    url: new URL(`http://${container.getHost()}:${container.getMappedPort(PORT)}`),
    [Symbol.asyncDispose]: async () => {
      await container.stop();
    },
  };
}
