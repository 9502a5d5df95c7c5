import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { zipArchiveReader } from '@sightline/archive-zip/reading/open-archive';
import {
  type SampleArchive,
  sampleFiles,
  type SampleImage,
  zipOf,
} from '@sightline/archive-zip/testing/sample-archive';
import { deleteSource } from '@sightline/core/curation/delete-source';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import { FACE_MODEL, OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import { importArchive, type ImportOptions } from '@sightline/core/transfer/import-archive';
import { startImport } from '@sightline/core/transfer/start-import';
import {
  openRecognition,
  type RecognitionFixture,
} from '../../support/fixtures/recognition-fixture.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let neighbor: SeededEnvironment;

beforeAll(async () => {
  fixture = await openRecognition();
});
beforeEach(async () => {
  [home, neighbor] = [await fixture.store.environment(), await fixture.store.environment()];
});
afterEach(async () => {
  expect(await fixture.findings()).toEqual([]);
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

const FAR = { name: 'far', revision: 'e'.repeat(64), embedding_dim: 2 };

async function fileOf(archive: SampleArchive) {
  return localFileOf(await zipOf(sampleFiles(archive)));
}

async function importInto(
  { scope }: Pick<SeededEnvironment, 'scope'>,
  archive: SampleArchive,
  options?: ImportOptions,
) {
  const { database, media, models: modelStore } = fixture.store;
  const deps = { database, media, modelStore, archives: zipArchiveReader };
  return importArchive(deps, { scope, file: await fileOf(archive) }, options);
}

/** An archive of Ann's enrolled face, and of a face without identity in another image. */
function library(model: object = FAR, looks = [direction(10), direction(50)]): SampleArchive {
  const faces = looks.map((look, i) => ({ looks: { 1: look }, ...(i === 0 && { identity: 1 }) }));
  return {
    models: [model],
    identities: [{ label: 'Ann' }],
    images: faces.map((face): SampleImage => ({ detections: [face] })),
  };
}

function foreignModels({ scope }: SeededEnvironment) {
  return fixture.store.query<{ name: string; dim: number }>(
    'SELECT name, embedding_dim AS dim FROM models WHERE environment_id = $1 ORDER BY name',
    [scope.environmentId],
  );
}

function vectorsOf({ scope }: SeededEnvironment) {
  return fixture.store.query<{ name: string; enrolled: Date | null }>(
    `SELECT m.name || CASE WHEN m.environment_id IS NULL THEN '' ELSE ' (foreign)' END AS name,
       r.created_at AS enrolled
     FROM face_vectors v JOIN models m ON m.id = v.model_id
     LEFT JOIN face_references r ON r.environment_id = v.environment_id
       AND r.detection_id = v.detection_id AND r.model_id = v.model_id
     WHERE v.environment_id = $1 ORDER BY r.created_at NULLS LAST, 1`,
    [scope.environmentId],
  );
}

async function removeImages(environment: SeededEnvironment) {
  const { scope } = environment;
  const { database, media } = fixture.store;
  const { items } = await database.withScope(scope, ({ sources }) =>
    sources.list({}, { order: 'oldest', after: null, limit: 100 }),
  );
  for (const { id } of items) {
    expect(await foreignModels(environment)).toHaveLength(1);
    await deleteSource({ database, media }, { scope, id });
  }
}

test('only models with vectors get a row, which lasts as long as its last vector', async () => {
  const archive = library();
  const unused = Array.from({ length: 900 }, (_, i) => ({ ...FAR, name: `unused ${i}` }));
  await importInto(home, { ...archive, models: [FAR, ...unused] });
  expect(await foreignModels(home)).toEqual([{ name: 'far', dim: 2 }]);
  const listed = await fixture.store.database.withScope(home.scope, ({ models }) =>
    models.list({ after: null, limit: 100 }),
  );
  expect(listed.items.map(({ name }) => name)).not.toContain('far');
  await removeImages(home);
  expect(await foreignModels(home)).toEqual([]);
});

/** An archive of one face that has vectors of several models. */
function withModels(from: number, amount: number): SampleArchive {
  const looks = Array.from({ length: amount }, (_, i) => [i + 1, direction(i)] as const);
  return {
    models: looks.map((_, i) => ({ ...FAR, name: `far ${from + i}` })),
    images: [
      {
        digest: String(from % 10).repeat(64),
        detections: [{ looks: Object.fromEntries(looks) }],
      },
    ],
  };
}

const TOO_MANY = { code: 'archive_invalid', message: expect.stringContaining('20') as unknown };

test('an environment has at most 20 of them, else nothing of the archive is stored', async () => {
  const { database, media, models: modelStore } = fixture.store;
  await expect(importInto(home, withModels(1, 21))).rejects.toMatchObject(TOO_MANY);
  expect(await foreignModels(home)).toEqual([]);
  await importInto(home, withModels(1, 20));
  await importInto(home, withModels(1, 20));
  await expect(importInto(home, withModels(2, 20))).rejects.toMatchObject(TOO_MANY);
  const deps = { database, media, modelStore, archives: zipArchiveReader };
  const file = await fileOf(withModels(2, 20));
  await expect(startImport(deps, { scope: home.scope, file })).rejects.toMatchObject(TOO_MANY);
  expect(await foreignModels(home)).toHaveLength(20);
  await importInto(neighbor, withModels(2, 20));
});

test('an archive that is refused for its models is not in the audit', async () => {
  const actor = { kind: 'request', accountId: null, keyId: 7, requestId: 'r' } as const;
  const { environmentId } = home.scope;
  const asRequest = { scope: { environmentId, actor } };
  const audited = async () => {
    const query = { environmentId, entity: 'library' } as const;
    return (await fixture.store.audit.list(query, { after: null, limit: 10 })).items;
  };
  await expect(importInto(asRequest, withModels(1, 21))).rejects.toMatchObject(TOO_MANY);
  expect(await audited()).toEqual([]);
  await importInto(asRequest, withModels(1, 20));
  expect(await audited()).toMatchObject([{ action: 'import' }]);
});

test('imports at the same time have at most 20 of them together', async () => {
  let isOther = false;
  const report = async () => {
    if (isOther) return;
    isOther = true;
    await expect(importInto(home, withModels(12, 10))).rejects.toMatchObject(TOO_MANY);
    await importInto(home, withModels(8, 13));
  };
  await importInto(home, withModels(1, 11), { report });
  expect(await foreignModels(home)).toHaveLength(20);
});

test('a claim of one environment does not bind another', async () => {
  await importInto(home, library({ ...FAR, embedding_dim: 3 }, [Float32Array.of(0, 0.6, 0.8)]));
  await importInto(neighbor, library());
  expect(await foreignModels(home)).toEqual([{ name: 'far', dim: 3 }]);
  expect(await foreignModels(neighbor)).toEqual([{ name: 'far', dim: 2 }]);
  // The environment's own archives agree with each other.
  await expect(importInto(home, library())).rejects.toMatchObject({ code: 'archive_invalid' });
});

test('a model that is installed for objects gets no vectors', async () => {
  const objects = { ...OBJECT_MODEL, name: 'objects', revision: FAR.revision };
  await fixture.store.models.register([objects]);
  await importInto(home, library({ ...FAR, name: objects.name }));
  expect(await foreignModels(home)).toEqual([{ name: 'objects', dim: 2 }]);
  expect(new Set((await vectorsOf(home)).map(({ name }) => name))).toEqual(
    new Set(['objects (foreign)']),
  );
});

test('a model that is installed gets the vectors and references, unless their length is wrong', async () => {
  const installable = { ...FAR, name: 'installable' };
  const looks = [Float32Array.of(0, 0.6, 0.8), Float32Array.of(0, 0.8, 0.6)];
  await importInto(home, library(installable));
  await importInto(neighbor, library({ ...installable, embedding_dim: 3 }, looks));
  const [before] = await vectorsOf(home);
  expect(before).toEqual({ name: 'installable (foreign)', enrolled: expect.any(Date) });
  const [installed] = await fixture.store.models.register([
    { ...FACE_MODEL, name: 'installable', revision: FAR.revision },
  ]);
  await fixture.store.models.joinForeign();
  expect(await vectorsOf(home)).toEqual([
    { name: 'installable', enrolled: before!.enrolled },
    { name: 'installable', enrolled: null },
  ]);
  expect(await foreignModels(home)).toEqual([]);
  // Ann stays enrolled until her face has a vector of the right length.
  expect(await vectorsOf(neighbor)).toEqual([
    { name: 'installable (foreign)', enrolled: expect.any(Date) },
  ]);
  const { database, activations } = fixture.store;
  // The task repeats every minute, and takes no lock of the environment while there is nothing to move.
  await database.withEntities({ ...neighbor.scope, locks: [{ entity: 'environment' }] }, async () =>
    fixture.store.models.joinForeign(),
  );
  const behind = await activations.enrolledBehind(installed!.id, { after: null, limit: 100 });
  const { environmentId } = neighbor.scope;
  expect(behind.filter((image) => image.environmentId === environmentId)).toHaveLength(1);
  await database.withEntities(
    { ...neighbor.scope, locks: [{ entity: 'environment' }] },
    async (tx) => {
      const faces = await fixture.store.query<{ id: number }>(
        'SELECT id FROM detections WHERE environment_id = $1',
        [environmentId],
      );
      const embeddings = faces.map(({ id }) => ({ detectionId: id, vector: direction(5) }));
      await tx.detections.addEmbeddings(installed!.id, embeddings);
    },
  );
  await fixture.store.models.joinForeign();
  expect(await vectorsOf(neighbor)).toEqual([
    { name: 'installable', enrolled: expect.any(Date) },
    { name: 'installable', enrolled: null },
  ]);
  expect(await foreignModels(neighbor)).toEqual([]);
});

test('a model whose last vector is deleted during an import is adopted again', async () => {
  let isDeleted = false;
  const report = async () => {
    if (isDeleted) return;
    isDeleted = true;
    await fixture.store.query('DELETE FROM models WHERE environment_id = $1', [
      home.scope.environmentId,
    ]);
  };
  const other = { ...FAR, name: 'deleted' };
  expect(await importInto(home, library(other), { report })).toMatchObject({ imagesCreated: 2 });
  expect(await foreignModels(home)).toEqual([{ name: 'deleted', dim: 2 }]);
});
