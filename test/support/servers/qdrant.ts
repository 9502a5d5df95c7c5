import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe } from '@jest/globals';
import {
  chooseQdrant,
  headersOf,
  liveQdrant,
  type QdrantServer,
  removeCollections,
  type TestQdrant,
} from './choose-qdrant.ts';
import { hasQdrantBinary } from './qdrant-binary.ts';
import { readRecording, recordServer, replayServer } from './recorded-server.ts';

const RECORDINGS = resolve(import.meta.dirname, '../../contract/recordings');
const RECORD = 'make record-qdrant';
const SOURCES = 'a Qdrant: SIGHTLINE_TEST_QDRANT_URL, Docker, or one at .cache/tools/qdrant';

type Start = () => Promise<TestQdrant>;

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
  const start = chooseQdrant();
  const records = process.env.SIGHTLINE_TEST_QDRANT_RECORD === '1';
  if (start === null && records) throw none();
  if (start !== null && records) describe(name, () => body(() => recorded(start, file)));
  else if (start !== null) describe(name, () => body(() => liveQdrant(start)));
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
  const start = chooseQdrant();
  if (start !== null) describe(name, () => body(() => liveQdrant(start)));
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

async function recorded(start: () => Promise<QdrantServer>, file: string): Promise<TestQdrant> {
  const server = await start();
  const installations = Array.from({ length: 100 }, (_, n) => numbered(n));
  await removeCollections(server, installations);
  const proxy = await recordServer(server.url, headersOf(server));
  const root = await fetch(server.url, { headers: headersOf(server) });
  const { version } = (await root.json()) as { readonly version: string };
  return {
    url: proxy.url,
    installation: numbering(),
    verify: () => undefined,
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
