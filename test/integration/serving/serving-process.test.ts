import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import { discoverPacks } from '@sightline/engine/packs/discover-packs';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { packFiles } from '@sightline/engine/packs/pack-files';
import { HttpImageAnalyzer } from '@sightline/analysis/http/http-image-analyzer';
import { S3MediaStore } from '@sightline/media/s3/s3-media-store';
import { S3PackStore } from '@sightline/media/s3/s3-pack-store';
import { drawPhoto } from '../../support/fixtures/draw-photo.ts';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { writeOtherToyFaces, writeToyPacks } from '../../support/fixtures/toy-packs.ts';
import { describeWithMinio } from '../../support/servers/minio.ts';
import { MinioProcess } from '../../support/servers/minio-process.ts';
import { InferenceProcess } from '../../support/services/inference-process.ts';

const FACES = {
  detectionThreshold: 0.5,
  embed: true,
  attributes: false,
  fullFramePass: false,
  upright: false,
};
const PAUSE_MS = 50;

describeWithMinio('an inference process with a serving file', () => {
  const resources = new AsyncDisposableStack();
  let minio: MinioProcess;
  let inference: InferenceProcess;
  let analyzer: HttpImageAnalyzer;
  let file: string;
  let packs: readonly [ModelPack, ModelPack];

  beforeAll(async () => {
    const folder = resources.use(await temporaryFolder()).path;
    minio = resources.use(await MinioProcess.start());
    packs = await publish(join(folder, 'models'));
    await mkdir(join(folder, 'serving'));
    file = join(folder, 'serving', 'serving.json');
    await write(packs[0]);
    inference = resources.use(await InferenceProcess.prepare(settings(folder)));
    analyzer = resources.use(new HttpImageAnalyzer({ urls: [new URL(inference.url)] }));
  });
  afterAll(() => resources.disposeAsync());

  const options = () => ({ ...minio.options(), bucket: 'sightline' });

  function settings(folder: string) {
    return {
      SIGHTLINE_SERVING_FILE: file,
      SIGHTLINE_CACHE: join(folder, 'cache'),
      SIGHTLINE_STARTER: 'off',
      SIGHTLINE_S3_ENDPOINT: minio.endpoint.origin,
      SIGHTLINE_S3_BUCKET: 'sightline',
      SIGHTLINE_S3_ACCESS_KEY: minio.accessKey,
      SIGHTLINE_S3_SECRET_KEY: minio.secretKey,
    };
  }

  /** Puts two face packs into the model store. */
  async function publish(folder: string): Promise<readonly [ModelPack, ModelPack]> {
    await writeToyPacks(folder);
    await writeOtherToyFaces(folder, 'other-faces');
    const { packs: found } = await discoverPacks(folder);
    using media = new S3MediaStore(options());
    await media.prepare();
    using store = new S3PackStore(options());
    for (const { directory, manifest, revision } of found) {
      for (const each of packFiles(manifest)) {
        const bytes = await readFile(join(directory, each.file));
        await store.putFile(each.sha256, localFileOf(bytes));
      }
      await store.putManifest(revision, JSON.stringify(manifest));
    }
    const named = (name: string) => found.find(({ manifest }) => manifest.name === name)!;
    return [named('toy-faces'), named('other-faces')];
  }

  async function write(...models: readonly ModelPack[]): Promise<void> {
    const entries = models.map(({ manifest: { name }, revision }) => ({
      name,
      task: 'face',
      revision,
      keep: 'loaded',
    }));
    await writeFile(`${file}.new`, JSON.stringify({ models: entries }));
    await rename(`${file}.new`, file);
  }

  /** Waits until the models are in these states, and returns the report of the first process. */
  async function reported(...states: readonly string[]) {
    for (;;) {
      const answer = await fetch(`${inference.opsUrl}/models`).catch(() => null);
      const body = answer?.ok ? ((await answer.json()) as Report) : null;
      const found = body?.models.map(({ state }) => state);
      if (JSON.stringify(found) === JSON.stringify(states)) return body!.models[0]!;
      await sleep(PAUSE_MS);
    }
  }

  async function answeredBy({ revision }: ModelPack) {
    const image = new Uint8Array(await (await drawPhoto({ faces: ['Ada'] })).arrayBuffer());
    const { faces } = await analyzer.analyze({ image, models: { face: revision }, faces: FACES });
    return faces!.model.name;
  }

  const readiness = async () => (await fetch(`${inference.opsUrl}/readyz`)).status;

  test('waits for the store of models, and says so', async () => {
    await minio.kill();
    const started = inference.start();
    const { error } = await reported('failed');
    expect(error).toMatchObject({ reason: 'StoreUnavailable' });
    expect(await readiness()).toBe(503);
    await minio.start();
    await started;
    expect(await reported('warm')).toMatchObject({ error: null, lastRequestedSecondsAgo: null });
    expect(await answeredBy(packs[0])).toBe('toy-faces');
    expect((await reported('warm')).lastRequestedSecondsAgo).toBeLessThan(30);
  });

  test('follows only the file', async () => {
    const response = await fetch(`${inference.url}/v1/models`, { method: 'PUT', body: '{}' });
    expect(response.status).toBe(404);
    await write(...packs);
    await reported('warm', 'warm');
    expect(await Promise.all(packs.map(answeredBy))).toEqual(['toy-faces', 'other-faces']);
    await write(packs[1]);
    await reported('warm');
    await expect(answeredBy(packs[0])).rejects.toMatchObject({ code: 'inference_unavailable' });
    expect(await readiness()).toBe(200);
  });

  test('has what the file says after a kill, without the store', async () => {
    await minio.kill();
    await inference.kill();
    await inference.start();
    expect(await answeredBy(packs[1])).toBe('other-faces');
  });
});

interface Report {
  readonly models: readonly {
    readonly state: string;
    readonly error: { readonly reason: string } | null;
    readonly lastRequestedSecondsAgo: number | null;
  }[];
}
