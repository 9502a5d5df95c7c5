import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeWithMinio } from '../support/servers/minio.ts';
import { MinioProcess } from '../support/servers/minio-process.ts';
import { runProcess } from '../support/services/run-process.ts';
import { type RunningStandalone, startStandalone } from '../support/services/running-standalone.ts';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { untilAvailable } from '../support/servers/until-available.ts';
import { InferenceProcess } from '../support/services/inference-process.ts';
import { LocalDatabase } from '../support/servers/local-database.ts';

describe.each([
  ['apps/api/src/main.ts', /^An API process needs external services: set /],
  ['apps/background/src/worker/main.ts', /^A worker needs external services: set /],
] as const)('%s', (main, refusal) => {
  test('without variables ends with one sentence that names all that it needs', async () => {
    const { code, stderr } = await runProcess(main, {});
    expect(code).toBe(1);
    expect(stderr).toMatch(refusal);
    for (const store of ['DATABASE_URL', 'S3_ENDPOINT', 'QDRANT_URL', 'INFERENCE_URL']) {
      expect(stderr).toContain(`SIGHTLINE_${store}`);
    }
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('lists its variables with --help', async () => {
    const { code, stdout } = await runProcess(main, {}, ['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('SIGHTLINE_DATABASE_URL');
  });
});

describeWithMinio('a process with external stores', () => {
  const resources = new AsyncDisposableStack();
  let database: LocalDatabase;
  let settings: Record<string, string>;

  beforeAll(async () => {
    database = resources.use(await LocalDatabase.empty());
    const minio = resources.use(await MinioProcess.start());
    settings = {
      SIGHTLINE_START_TIMEOUT: '0',
      SIGHTLINE_DATABASE_URL: database.url,
      SIGHTLINE_S3_ENDPOINT: minio.endpoint.origin,
      SIGHTLINE_S3_ACCESS_KEY: minio.accessKey,
      SIGHTLINE_S3_SECRET_KEY: minio.secretKey,
      SIGHTLINE_QDRANT_URL: 'http://127.0.0.1:9',
      SIGHTLINE_INFERENCE_URL: 'http://127.0.0.1:9',
    };
  });

  afterAll(() => resources.disposeAsync());

  /** Returns the error message of an API process that cannot start. */
  async function refusal(wrong: Record<string, string> = {}): Promise<string> {
    const { code, stderr } = await runProcess('apps/api/src/main.ts', { ...settings, ...wrong });
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('    at ');
    expect(stderr).not.toContain(database.password);
    return stderr.trim();
  }

  const migrate = (given: Record<string, string>) =>
    runProcess('apps/cli/src/main.ts', { ...settings, ...given }, ['migrate']);

  test('ends with a sentence where there is no schema, and leaves making it to others', async () => {
    expect(await refusal()).toMatch(/has no schema of Sightline yet: run `sightline migrate`\.$/);
    expect(await refusal()).toMatch(/has no schema/);
  });

  test('where the password is wrong', async () => {
    const wrong = database.url.replace(database.password, 'not-the-password');
    expect(await refusal({ SIGHTLINE_DATABASE_URL: wrong })).toMatch(/refuses the password of/);
  });

  test('where the service is given the owner, who is for `sightline migrate` alone', async () => {
    expect(await refusal({ SIGHTLINE_DATABASE_URL: database.ownerUrl })).toMatch(
      /^SIGHTLINE_DATABASE_URL names the user \w+: name sightline_app instead\. The service logs in as sightline_app and/,
    );
    const { code, stderr } = await migrate({});
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Set SIGHTLINE_DATABASE_OWNER_URL to the URL/);
  });

  test('where no server answers', async () => {
    const nowhere = database.url.replace(/:\d+\//, ':9/');
    expect(await refusal({ SIGHTLINE_DATABASE_URL: nowhere })).toMatch(
      /^The database \S+ at 127\.0\.0\.1:9 cannot be used: .* does not answer/,
    );
  });

  test('where the schema is older', async () => {
    const owner = { SIGHTLINE_DATABASE_OWNER_URL: database.ownerUrl };
    expect(await migrate(owner)).toMatchObject({ code: 0 });
    await database.forgetLastMigration();
    expect(await refusal(owner)).toMatch(
      /schema of an older version of Sightline, without \w+[a-z-]+: run `sightline migrate`\.$/,
    );
    await database.restoreLastMigration();
  });

  describe('with models', () => {
    test('starts without inference, serves the rest, and finds it later', async () => {
      await using inference = await InferenceProcess.prepare();
      await using folder = await temporaryFolder();
      const file = join(folder.path, 'database-url');
      await writeFile(file, `${database.url}\n`);
      await using service = await startStandalone({
        ...settings,
        SIGHTLINE_DATABASE_URL: '',
        SIGHTLINE_DATABASE_URL_FILE: file,
        SIGHTLINE_QDRANT_URL: '',
        SIGHTLINE_INFERENCE_URL: inference.url,
      });
      const refused = await detect(service);
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ code: 'inference_unavailable' });
      expect((await service.fetch('/api/identities')).status).toBe(200);
      expect(await (await service.fetch('/api/health')).json()).toMatchObject({
        status: 'degraded',
        provider: null,
      });
      expect((await fetch(`${service.opsUrl}/readyz`)).status).toBe(200);

      await inference.start();
      const found = await untilAvailable(() => detect(service));
      expect(found.status).toBe(200);
    });
  });

  test('on the bucket of another installation', async () => {
    await database.becomeAnother();
    expect(await refusal()).toMatch(/^There are images of another installation in the bucket/);
  });

  test('a backup says what it does not hold', async () => {
    const { code, stderr } = await runProcess('apps/cli/src/main.ts', settings, ['backup']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The service stores its data in the database \S+ at .*, which a backup does not include: .*pg_dump, and then copy the bucket sightline\.$/m,
    );
    expect(stderr).not.toContain(database.password);
  });
});

async function detect(service: RunningStandalone): Promise<Response> {
  const form = new FormData();
  form.set('file', await drawPhoto({ faces: ['Ada', 'Bea'] }));
  return service.fetch('/api/detect/faces', { method: 'POST', body: form });
}
