import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { ok } from '../support/services/ok.ts';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { runStandalone, startStandalone } from '../support/services/running-standalone.ts';
import { preparedData, temporaryData } from '../support/fixtures/temporary-data.ts';
import { TOY_PACKS } from '../support/fixtures/toy-packs.ts';
import { toyPacksFolder } from '../support/fixtures/toy-packs-folder.ts';

describe('one data folder', () => {
  test('keeps everything over a restart, and the first key with it', async () => {
    await using data = await temporaryData();
    const settings = { SIGHTLINE_DATA: data.path };
    const file = await drawPhoto({ faces: ['Beatrice'] });
    const first = await startStandalone(settings);
    const enrolled = ok(await first.client.enrollFace({ body: { name: 'Beatrice', file } }));
    const before = ok(await first.client.getStats());
    expect((await stat(join(data.path, 'api-key'))).mode & 0o777).toBe(0o600);
    expect(await first.stop()).toBe(0);

    await using second = await startStandalone(settings);
    expect(second.apiKey).toBe(first.apiKey);
    expect(second.log.join('\n')).not.toContain(first.apiKey);
    const room = { storage_free: expect.any(String), storage_free_bytes: expect.any(Number) };
    expect(ok(await second.client.getStats())).toEqual({ ...before, ...room });
    const { faces } = ok(await second.client.identifyFaces({ body: { file } }));
    expect(faces[0]).toMatchObject({ identity_id: enrolled.identity_id, label: 'Beatrice' });
    expect(faces[0]!.similarity).toBeGreaterThan(0.999);
  });

  test('serves one process at a time', async () => {
    await using service = await startStandalone();
    const { code, stderr } = await runStandalone({ SIGHTLINE_DATA: service.data });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^The data folder ${service.data} is in use by process ${service.process.pid}: .+\n$`,
      ),
    );
    expect((await service.fetch('/api/stats')).status).toBe(200);
  });

  test.each([
    [
      'was written by a newer Sightline',
      async (folder: string) => {
        await mkdir(folder);
        const version = { format: 999, product: '99.0.0', postgres: 18 };
        await writeFile(join(folder, 'version.json'), JSON.stringify(version));
      },
    ],
    [
      'holds files of another program',
      async (folder: string) => {
        await mkdir(folder);
        await writeFile(join(folder, 'thesis.txt'), 'do not touch');
      },
    ],
    ['is a file', (folder: string) => writeFile(folder, 'not a folder')],
    ['leads nowhere', (folder: string) => symlink('/proc/nowhere', folder)],
  ])('that %s ends the start with one sentence', async (_, prepare) => {
    const parent = await mkdtemp(join(tmpdir(), 'sightline-data-'));
    try {
      const folder = join(parent, 'data');
      await prepare(folder);
      const { code, stderr } = await runStandalone({ SIGHTLINE_DATA: folder });
      expect(code).toBe(1);
      expect(stderr).toContain(folder);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).not.toContain('    at ');
    } finally {
      await rm(parent, { recursive: true });
    }
  });

  test('whose database is damaged ends the start with one sentence, and is not repaired', async () => {
    await using data = await preparedData();
    const service = await startStandalone({ SIGHTLINE_DATA: data.path });
    await service.stop();
    const folder = join(data.path, 'postgres');
    const place = await readFile(join(folder, 'place'), 'utf8').catch(() => folder);
    await writeFile(join(place.trim(), 'cluster/global/pg_control'), 'damaged');
    const { code, stderr } = await runStandalone({ SIGHTLINE_DATA: data.path });
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('    at ');
  });
});

describe('another face model at a restart', () => {
  test('makes embeddings of its own of everyone, and everyone stays known', async () => {
    await using data = await preparedData();
    await using models = await twoNamesForOnePack();
    const settings = { SIGHTLINE_DATA: data.path, SIGHTLINE_MODELS_DIR: models.path };
    const before = await startStandalone({ ...settings, SIGHTLINE_FACE_MODEL: 'first' });
    const known = ok(
      await before.client.enrollFace({
        body: { name: 'Beatrice', file: await drawPhoto({ faces: ['Beatrice'] }) },
      }),
    );
    const stored = ok(
      await before.client.detectFaces({
        body: { file: await drawPhoto({ faces: ['Ada', 'Bea'] }) },
      }),
    );
    await before.stop();

    await using after = await startStandalone({ ...settings, SIGHTLINE_FACE_MODEL: 'second' });
    const { client } = after;
    await untilReembedded(client);
    const verdict = ok(
      await client.identifyFaces({ body: { file: await drawPhoto({ faces: ['Beatrice 2'] }) } }),
    );
    expect(verdict.faces[0]).toMatchObject({ identity_id: known.identity_id, label: 'Beatrice' });
    const { items } = ok(await client.listFaceEmbeddings());
    expect(items.map(({ model_name }) => model_name).sort()).toEqual(['first', 'second']);
    expect(ok(await client.getIdentity({ path: { id: known.identity_id } }))).toMatchObject({
      embedding_count: 1,
      detection_count: 1,
    });
    const again = ok(
      await client.detectFaces({ body: { file: await drawPhoto({ faces: ['Ada', 'Bea'] }) } }),
    );
    expect(again.faces.map(({ detection_id }) => detection_id)).toEqual(
      stored.faces.map(({ detection_id }) => detection_id),
    );
    expect(await after.inconsistencies()).toEqual([]);
  });
});

/** Waits until health reports no remaining work. Until then it has to be degraded, but never unavailable. */
async function untilReembedded(client: Client): Promise<void> {
  for (;;) {
    const { status, reembed } = ok(await client.getHealth());
    if (status === 'ok') return;
    expect(status).toBe('degraded');
    expect(reembed!.total).toBeGreaterThan(0);
    await sleep(200);
  }
}

async function twoNamesForOnePack() {
  const path = await mkdtemp(join(tmpdir(), 'sightline-models-'));
  for (const name of ['first', 'second']) {
    await cp(join(toyPacksFolder(), TOY_PACKS.face), join(path, name), { recursive: true });
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
