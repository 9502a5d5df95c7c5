import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LocalDatabase } from '../support/servers/local-database.ts';
import { describeWithMinio } from '../support/servers/minio.ts';
import { MinioProcess } from '../support/servers/minio-process.ts';
import { runProcess } from '../support/services/run-process.ts';
import { runStandalone, startStandalone } from '../support/services/running-standalone.ts';
import { temporaryData } from '../support/fixtures/temporary-data.ts';

const COMMAND = 'apps/cli/src/main.ts';
const RELEASED =
  /Start the service with their new location\.\nNothing may start with the old location.* scale the Deployments/m;

/**
 * All services use the same database. A service may start only if its settings name the location where the images of
 * the database's rows are stored. No test needs a model.
 */
describeWithMinio('images of rows that are elsewhere', () => {
  const resources = new AsyncDisposableStack();
  let files: Record<'first' | 'second', Record<string, string>>;
  let bucket: Record<string, string>;

  beforeAll(async () => {
    const database = resources.use(await LocalDatabase.migrated());
    const minio = resources.use(await MinioProcess.start());
    const first = resources.use(await temporaryData()).path;
    const second = resources.use(await temporaryData()).path;
    const rows = {
      SIGHTLINE_START_TIMEOUT: '0',
      SIGHTLINE_DATABASE_URL: database.url,
      SIGHTLINE_INFERENCE_URL: 'http://127.0.0.1:9',
    };
    files = {
      first: { ...rows, SIGHTLINE_DATA: first },
      second: { ...rows, SIGHTLINE_DATA: second },
    };
    bucket = {
      SIGHTLINE_S3_ENDPOINT: minio.endpoint.origin,
      SIGHTLINE_S3_ACCESS_KEY: minio.accessKey,
      SIGHTLINE_S3_SECRET_KEY: minio.secretKey,
    };
  });

  afterAll(() => resources.disposeAsync());

  async function starts(settings: Record<string, string>): Promise<void> {
    const service = await startStandalone(settings);
    expect(await service.stop()).toBe(0);
  }

  async function refusal(settings: Record<string, string>): Promise<string> {
    const { code, stderr } = await runStandalone(settings);
    expect(code).toBe(1);
    expect(stderr).not.toContain('    at ');
    return stderr;
  }

  const sightline = (settings: Record<string, string>, ...args: string[]) =>
    runProcess(COMMAND, settings, args);

  test('are the files of one data folder, and not of a second one', async () => {
    await starts(files.first);
    expect(await refusal(files.second)).toMatch(
      /^The images of the database .* are files in another data folder than .*SIGHTLINE_DATA/m,
    );
    await starts(files.first);
  });

  test('go to a bucket once they are released, and not otherwise', async () => {
    const moved = { ...files.second, ...bucket };
    expect(await refusal(moved)).toMatch(/run `sightline media release`\.$/m);
    expect(await sightline(files.first, 'media', 'release')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(RELEASED),
    });
    expect((await sightline(moved, 'check')).stderr).toMatch(/has no bucket yet/);
    await starts(moved);
    expect(await sightline(moved, 'check')).toMatchObject({ code: 0 });
    expect(await refusal(files.first)).toMatch(
      /^The images of .* are in the bucket sightline at /m,
    );
  });

  test('come back from it likewise', async () => {
    expect(await sightline(files.second, 'media', 'release')).toMatchObject({ code: 0 });
    expect(await sightline(files.second, 'media', 'release')).toMatchObject({
      code: 1,
      stderr: 'The database names no location of images yet, so there is nothing to release.\n',
    });
    await starts(files.second);
    expect(await refusal(files.first)).toMatch(/are files in another data folder/);
  });
});
