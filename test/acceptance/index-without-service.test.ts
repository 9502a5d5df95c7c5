import { describe, expect, test } from '@jest/globals';
import { preparedData } from '../support/fixtures/temporary-data.ts';
import { ok } from '../support/services/ok.ts';
import { runProcess } from '../support/services/run-process.ts';
import { startStandalone } from '../support/services/running-standalone.ts';

/** The timeout for the start of a rebuild where no worker runs, in ms. */
const NO_WORKER_MS = 3_000;
/** A timeout for the start of a rebuild within which a running worker always starts it, in ms. */
const WORKER_MS = 15_000;

describe('sightline index where the service does not run', () => {
  const index = (data: string, ...args: string[]) =>
    runProcess('apps/cli/src/main.ts', { SIGHTLINE_DATA: data }, ['index', ...args]);
  const rebuildWithin = (workerMs: number, data: string) =>
    runProcess(
      'test/support/services/impatient-command.ts',
      { SIGHTLINE_DATA: data, SIGHTLINE_TEST_WORKER_MS: String(workerMs) },
      ['index', 'rebuild', '--wait'],
    );
  const NO_PROCESS =
    /^No process maintains an index; each process builds its own index when it starts\.$/m;

  test('says so where it was stopped', async () => {
    await using data = await preparedData();
    const service = await startStandalone({ SIGHTLINE_DATA: data.path });
    expect(await service.stop()).toBe(0);
    const status = await index(data.path, 'status');
    expect(status).toMatchObject({ code: 0, stdout: '' });
    expect(status.stderr).toMatch(NO_PROCESS);
    const rebuild = await index(data.path, 'rebuild', '--wait');
    expect(rebuild).toMatchObject({ code: 1, stdout: '' });
    expect(rebuild.stderr).toMatch(NO_PROCESS);
  });

  test('gives up soon where it was killed', async () => {
    await using data = await preparedData();
    const settings = { SIGHTLINE_DATA: data.path };
    const killed = await startStandalone(settings);
    await killed.kill();
    const asked = await index(data.path, 'rebuild');
    expect(asked).toMatchObject({ code: 0, stdout: '' });
    expect(asked.stderr).toMatch(/^Requested\. `sightline index status` shows the progress\.$/m);
    const { code, stdout, stderr } = await rebuildWithin(NO_WORKER_MS, data.path);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/: waits for a worker$/m);
    expect(stderr).toMatch(
      /^No worker has started the rebuild yet\. It starts when a worker is running and /m,
    );
  });

  test('waits for the running process beside one that was killed', async () => {
    await using data = await preparedData();
    const settings = { SIGHTLINE_DATA: data.path };
    await (await startStandalone(settings)).kill();
    await using next = await startStandalone(settings);
    const rebuild = await rebuildWithin(WORKER_MS, data.path);
    expect(rebuild).toMatchObject({ code: 0, stdout: 'The index is rebuilt.\n' });
    expect(ok(await next.client.getHealth())).toMatchObject({ index: { state: 'filled' } });
  });
});
