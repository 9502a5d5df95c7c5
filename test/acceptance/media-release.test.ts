import { expect, test } from '@jest/globals';
import { LocalDatabase } from '../support/servers/local-database.ts';
import { runProcess } from '../support/services/run-process.ts';
import { startStandalone } from '../support/services/running-standalone.ts';
import { temporaryData } from '../support/fixtures/temporary-data.ts';

test('the location of images is not released while a service runs', async () => {
  await using database = await LocalDatabase.migrated();
  await using data = await temporaryData();
  const settings = {
    SIGHTLINE_DATA: data.path,
    SIGHTLINE_DATABASE_URL: database.url,
    SIGHTLINE_INFERENCE_URL: 'http://127.0.0.1:9',
  };
  const release = () => runProcess('apps/cli/src/main.ts', settings, ['media', 'release']);
  const service = await startStandalone(settings);
  try {
    expect(await release()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^A service uses this database \(connected as sightline\).*stop it first\. API processes, workers/m,
      ),
    });
  } finally {
    await service.stop();
  }
  expect(await release()).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^The images were files in a data folder\./m),
  });
});
