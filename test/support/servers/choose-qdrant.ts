import { randomUUID } from 'node:crypto';
import { QDRANT_IMAGE } from '@sightline/dev-platform/qdrant-image';
import { hasDocker } from '../gates/has-docker.ts';
import { hasTool } from './tools.ts';
import { QdrantProcess } from './qdrant-process.ts';

const PORT = 6333;

export interface QdrantServer extends AsyncDisposable {
  readonly url: URL;
  readonly apiKey?: string;
}

/** A Qdrant for tests. Disposal removes the collections of their installations. */
export interface TestQdrant extends QdrantServer {
  /** Returns the UUID of a new installation. */
  installation(): string;
  /** Adds an installation whose collections disposal removes. */
  alsoRemove(installation: string): void;
}

/**
 * Chooses how to start a Qdrant: the server that the environment names, otherwise a container,
 * otherwise a process.
 */
export function chooseQdrant(): (() => Promise<QdrantServer>) | null {
  const given = process.env.SIGHTLINE_TEST_QDRANT_URL ?? '';
  if (given !== '') return () => Promise.resolve(givenServer(new URL(given)));
  if (hasDocker()) return startContainer;
  return hasTool('qdrant') ? () => QdrantProcess.start() : null;
}

/** Starts a Qdrant whose disposal keeps the collections of other installations on the same server. */
export async function liveQdrant(start: () => Promise<QdrantServer>): Promise<TestQdrant> {
  const server = await start();
  const installations: string[] = [];
  return {
    url: server.url,
    ...(server.apiKey !== undefined && { apiKey: server.apiKey }),
    installation: () => {
      const installation = randomUUID();
      installations.push(installation);
      return installation;
    },
    alsoRemove: (installation) => installations.push(installation),
    async [Symbol.asyncDispose]() {
      await removeCollections(server, installations);
      await server[Symbol.asyncDispose]();
    },
  };
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
    url,
    ...(apiKey !== '' && { apiKey }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function startContainer(): Promise<QdrantServer> {
  // Importing the module takes a second, and most machines use another Qdrant.
  const { GenericContainer, Wait } = await import('testcontainers');
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
