import { createHash } from 'node:crypto';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { FilePackStore } from '@sightline/media/fs/file-pack-store';
import { createLogger } from '@sightline/platform/logging/logger';
import { openPostgres } from '@sightline/postgres/open-postgres';
import {
  type PrunePacksTaskDeps,
  prunePacksTask,
} from '@sightline/background/worker/tasks/prune-packs-task';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { createMigratedDatabase } from '../../support/servers/migrated-database.ts';
import { withClient } from '../../support/servers/test-server.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const { signal } = new AbortController();
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
/**
 * The revisions of packs, named after the row or resource that needs them. Each pack has a file of
 * its own and a shared file.
 */
const PACKS = {
  row: digestOf('row'),
  resource: digestOf('resource'),
  nothing: digestOf('nothing'),
};
const SHARED = digestOf('shared');
const fileOf = (revision: string) => digestOf(`file of ${revision}`);

let resources: AsyncDisposableStack;
let folder: string;
let packs: FilePackStore;

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  folder = join(resources.use(await temporaryFolder()).path, 'models');
  packs = await FilePackStore.open({ folder });
  await putFile(SHARED);
  for (const revision of Object.values(PACKS)) {
    await putFile(fileOf(revision));
    const files = [{ sha256: fileOf(revision) }, { sha256: SHARED }];
    await packs.putManifest(revision, JSON.stringify({ files }));
  }
});
afterEach(() => resources.disposeAsync());

const putFile = (sha256: string) => packs.putFile(sha256, localFileOf(new Uint8Array(9)));

async function age(days: number): Promise<void> {
  const then = new Date(Date.now() - days * DAY_MS);
  for (const kind of ['files', 'manifests'] as const) {
    const suffix = kind === 'files' ? '' : '.json';
    for (const { digest } of await Array.fromAsync(packs.entries(kind))) {
      await utimes(join(folder, kind, digest + suffix), then, then);
    }
  }
}

/** Returns the packs and files that are still in the store. */
async function left() {
  const [files, manifests] = await Promise.all([
    Array.fromAsync(packs.entries('files')),
    Array.fromAsync(packs.list()),
  ]);
  return { files: files.map(({ digest }) => digest).toSorted(), packs: manifests.toSorted() };
}

async function openCatalog() {
  const database = resources.use(await createMigratedDatabase());
  await withClient(database.connection, (client) =>
    client.query(
      `INSERT INTO models (name, digest, task, version, license, commercial_use, provides, classes, status)
       VALUES ('row', decode($1, 'hex'), 'object', '1', 'MIT', true, '{}', '{}', 'downloaded')`,
      [PACKS.row],
    ),
  );
  const logger = createLogger({ level: 'silent' });
  const reader = { kind: 'shared' } as const;
  return resources.use(openPostgres(database.connection, { logger, reader })).catalog;
}

const alsoNeeded = () => Promise.resolve(new Set([PACKS.resource]));

async function prune(knowing: Pick<PrunePacksTaskDeps, 'alsoNeeded'>): Promise<void> {
  const task = prunePacksTask({
    packs,
    catalog: await openCatalog(),
    ...knowing,
    logger: createLogger({ level: 'silent' }),
  });
  await task.run(signal);
}

test('removes a pack that nothing has needed for a week, and keeps what others share', async () => {
  await age(6);
  await prune({ alsoNeeded });
  expect((await left()).packs).toHaveLength(3);
  await age(8);
  await prune({ alsoNeeded });
  const kept = [PACKS.row, PACKS.resource];
  expect(await left()).toEqual({
    packs: kept.toSorted(),
    files: [...kept.map(fileOf), SHARED].toSorted(),
  });
  // The task renews the age of needed packs, so that their week begins when they are no longer
  // needed.
  const noted = await Array.fromAsync(packs.entries('manifests'));
  expect(noted.every(({ ageMs }) => ageMs < DAY_MS)).toBe(true);
  expect(await packs.readManifest(PACKS.row)).toContain(SHARED);
});

test('removes no pack if the needed packs are unknown, and no file of a download', async () => {
  const abandoned = digestOf('abandoned');
  await putFile(abandoned);
  await age(8);
  const pending = digestOf('pending');
  await putFile(pending);
  const before = await left();
  await prune({ alsoNeeded: null });
  const files = before.files.filter((digest) => digest !== abandoned);
  expect(await left()).toEqual({ ...before, files });
  expect(files).toContain(pending);
});

test('removes nothing while the source of needed packs does not answer', async () => {
  await age(8);
  const before = await left();
  const unavailable = new StoreUnavailable('Kubernetes does not answer.');
  await expect(prune({ alsoNeeded: () => Promise.reject(unavailable) })).rejects.toBe(unavailable);
  expect(await left()).toEqual(before);
});

test('keeps what a fetch puts again after it was listed', async () => {
  await age(8);
  const orphan = digestOf('orphan');
  await putFile(orphan);
  await age(8);
  const revision = PACKS.nothing;
  const entries = packs.entries.bind(packs);
  // Simulates a concurrent fetch of the same bytes, which stores each part between its listing and
  // its removal.
  packs.entries = async function* (kind, entrySignal) {
    for (const entry of await Array.fromAsync(entries(kind, entrySignal))) {
      if (entry.digest === orphan) await putFile(orphan);
      if (entry.digest === revision) await packs.putManifest(revision, '{}');
      yield entry;
    }
  };
  await prune({ alsoNeeded });
  packs.entries = entries;
  const { files, packs: manifests } = await left();
  expect(files).toContain(orphan);
  expect(manifests).toContain(revision);
});
