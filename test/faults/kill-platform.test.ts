import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { freshPhoto } from '../support/fixtures/draw-photo.ts';
import { endLeases } from '../support/fixtures/end-leases.ts';
import { describeWithMinio } from '../support/servers/minio.ts';
import { describeWithQdrantProcess } from '../support/servers/qdrant.ts';
import { untilAvailable } from '../support/servers/until-available.ts';
import { ok, okWith } from '../support/services/ok.ts';
import type { RunningPlatform } from '../support/services/running-platform.ts';
import { IS_SOAK, sampled, testInSoak } from '../support/gates/soak.ts';
import {
  type BreakablePlatform,
  openBreakablePlatform,
  type Victim,
} from './breakable-platform.ts';

const SEED = Date.now() % 1_000_000;
const ROUNDS = 60;
const PAUSE_MS = 100;
const BATCH = 8;
/** The time within which another process takes over a job of a killed one, in ms. */
const TAKEN_OVER_WITHIN_MS = 30_000;
const VICTIMS: readonly Victim[] = ['worker', 'inference-1', 'database', 'minio', 'api-1'];

type Client = RunningPlatform['client'];
type JobName = 'bulk' | 'reprocess' | 'import' | 'export';
type Answer = Awaited<
  ReturnType<Client['detectBulk' | 'reprocessImages' | 'importArchive' | 'exportLibrary']>
>;

/** The requests that create a job. */
const JOBS: Readonly<Record<JobName, () => Promise<Answer>>> = {
  bulk: async () => {
    const photos = Array.from({ length: BATCH }, (_, i) => freshPhoto({ faces: [`Person-${i}`] }));
    const file = await Promise.all(photos);
    return stormy.platform.client.detectBulk({ query: { async: true }, body: { file } });
  },
  reprocess: async () => {
    const { client } = stormy.platform;
    const { ids } = ok(await untilAvailable(() => client.listImageIds()));
    const body = { source_image_ids: ids.slice(0, BATCH), replace: true };
    return client.reprocessImages({ query: { async: true }, body });
  },
  import: () =>
    stormy.platform.client.importArchive({ query: { async: true }, body: { file: archive } }),
  export: () => stormy.platform.client.exportLibrary({ query: { async: true }, body: {} }),
};
const JOB_NAMES = Object.keys(JOBS) as JobName[];

let stormy: BreakablePlatform;
/** An archive of images that the library already has. */
let archive: File;
/** The number of uploaded photos, each with another person's face. */
let images = 0;
/** The number of kills of processes that work on items. */
let workerDeaths = 0;

describeWithMinio('a platform', () => {
  describeWithQdrantProcess('with a worker', () => {
    describe('on its own stores', () => {
      beforeAll(async () => {
        stormy = await openBreakablePlatform();
        await expectEnded([await begin('bulk')]);
        const exported = okWith(200, await stormy.platform.client.exportLibrary({ body: {} }));
        archive = new File([await exported.bytes()], 'library.zip');
      });
      afterAll(async () => {
        await stormy[Symbol.asyncDispose]();
      });

      test('waits for the models, and fails nothing', async () => {
        // The job begins after the kills, because an image in a killed process counts as a possible cause of its death.
        for (const each of ['inference-1', 'inference-2'] as const) await stormy.kill(each);
        const id = await begin('bulk');
        await untilThere('SELECT FROM jobs WHERE id = $1 AND paused_until IS NOT NULL', [id]);
        for (const each of ['inference-1', 'inference-2'] as const) await stormy.start(each);
        await expectDone([id]);
        const died =
          'SELECT FROM job_items WHERE job_id = $1 AND (deaths > 0 OR alone_until IS NOT NULL)';
        expect(await stormy.query(died, [id])).toEqual([]);
      });

      test.each<Victim>(sampled(['database', 'minio'], 1))(
        'goes on when it has its %s again',
        async (name) => {
          const ids: number[] = [];
          for (const job of JOB_NAMES) ids.push(await begin(job));
          await stormy.kill(name);
          await sleep(PAUSE_MS);
          await stormy.start(name);
          await expectDone(ids);
        },
      );

      test('passes on what a killed worker has begun', async () => {
        await using other = stormy.secondWorker();
        const models = ['inference-1', 'inference-2'].map((name) => stormy.platform.process(name));
        for (const each of models) each.hang();
        const id = await begin('bulk');
        await untilThere(`SELECT FROM job_items WHERE job_id = $1 AND state = 'running'`, [id]);
        await kill('worker');
        const killedAt = performance.now();
        // A soak measures how long the leases of the killed worker last.
        if (!IS_SOAK) await endLeases(stormy);
        for (const each of models) each.resume();
        other.start();
        await expectDone([id]);
        const milliseconds = Math.round(performance.now() - killedAt);
        const tried = 'SELECT FROM job_items WHERE job_id = $1 AND alone_until IS NOT NULL';
        const taken = await stormy.query(tried, [id]);
        expect(taken.length).toBeGreaterThan(0);
        process.stderr.write(`a job ended ${milliseconds} ms after its worker was killed\n`);
        if (IS_SOAK) expect(milliseconds).toBeLessThan(TAKEN_OVER_WITHIN_MS);
        await stormy.start('worker');
      });

      testInSoak('ends every job once, whatever is killed at any moment', async () => {
        process.stderr.write(`random kills with seed ${SEED}\n`);
        const ids: number[] = [];
        for (const { jobs, victim, afterMs } of fc.sample(round, { seed: SEED, numRuns: ROUNDS })) {
          for (const job of jobs) ids.push(await begin(job));
          await sleep(afterMs);
          await kill(victim);
          await sleep(afterMs);
          await stormy.start(victim);
        }
        await expectEnded(ids);
      });

      test('has each image once after all that, and nothing that is left over', expectWhole);
    });
  });
});

const round = fc.record({
  jobs: fc.uniqueArray(fc.constantFrom(...JOB_NAMES), { minLength: 1, maxLength: 3 }),
  victim: fc.constantFrom(...VICTIMS),
  afterMs: fc.nat({ max: 800 }),
});

/**
 * Requests a job, with retries, because a process that has just started may not have connected to
 * the others yet.
 */
async function begin(job: JobName): Promise<number> {
  const { job_id } = okWith(202, await untilAvailable(JOBS[job]));
  if (job === 'bulk') images += BATCH;
  return job_id;
}

async function kill(victim: Victim): Promise<void> {
  if (victim === 'worker') workerDeaths++;
  await stormy.kill(victim);
}

async function untilThere(text: string, values: readonly unknown[]): Promise<void> {
  while ((await stormy.query(text, values)).length === 0) await sleep(PAUSE_MS);
}

interface JobRow {
  readonly id: number;
  readonly status: string;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly announced: number;
}

/** Waits for the end of the jobs, and expects one event about the end of each job. */
async function expectEnded(ids: readonly number[]): Promise<readonly JobRow[]> {
  await untilThere(
    'SELECT WHERE NOT EXISTS (SELECT FROM jobs WHERE id = ANY ($1) AND finished_at IS NULL)',
    [ids],
  );
  const jobs = await stormy.query<JobRow>(
    `SELECT id, status, total, done, failed, (SELECT count(*) FROM outbox o
       WHERE o.event = 'job.done' AND (o.data ->> 'job_id')::bigint = j.id) AS announced
     FROM jobs j WHERE id = ANY ($1)`,
    [ids],
  );
  expect(jobs).toHaveLength(ids.length);
  for (const job of jobs) expect(job).toMatchObject({ announced: 1, total: job.done + job.failed });
  const failures = await stormy.query<{ deaths: number; error: unknown }>(
    `SELECT deaths, error FROM job_items WHERE job_id = ANY ($1) AND state <> 'done'`,
    [ids],
  );
  // An item fails after two workers have died while they worked on it alone, because the item may be
  // the cause of the deaths.
  if (workerDeaths < 2) expect(failures).toEqual([]);
  for (const failure of failures) {
    expect(failure).toMatchObject({ deaths: 2, error: { code: 'internal_error' } });
  }
  return jobs;
}

async function expectDone(ids: readonly number[]): Promise<void> {
  for (const job of await expectEnded(ids)) {
    expect(job).toMatchObject({ status: 'done', failed: 0 });
  }
}

/** Expects that each upload was stored once, with its face, and that the jobs left no files. */
async function expectWhole(): Promise<void> {
  expect(await stormy.platform.inconsistencies()).toEqual([]);
  const [row] = await stormy.query<Record<'images' | 'faces' | 'lost' | 'uploads', number>>(
    `SELECT (SELECT count(*) FROM source_images) AS images,
       (SELECT count(*) FROM detections) AS faces,
       (SELECT count(*) FROM job_items i JOIN jobs j ON j.id = i.job_id
        WHERE j.type = 'bulk_detect' AND i.state = 'failed') AS lost,
       (SELECT count(*) FROM job_items WHERE upload_key IS NOT NULL AND state <> 'failed') AS uploads`,
  );
  const stored = images - row!.lost;
  expect(row).toMatchObject({ images: stored, faces: stored, uploads: 0 });
}
