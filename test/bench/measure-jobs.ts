import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@sightline/contracts/client';
import { ok, okWith } from '../support/services/ok.ts';
import { type Bench, type Measured, repeat } from './bench.ts';
import { spreadCell } from './cells.ts';
import { idleShare } from './machine.ts';
import { markdownTable } from './markdown-table.ts';
import type { Photo } from './photos.ts';
import { openFirstSides, type Sides } from './sides.ts';
import { median, percentile } from './statistics.ts';

/** Jobs detect faces, so the bare loop runs the analysis of `/api/detect/faces`. */
const BARE = { workload: 'detect', side: 'bare' } as const;
const ONE_AT_A_TIME = { workload: 'faces', concurrency: 1 } as const;
/** Enough requests for a p99, together with those of the other rounds. */
const REQUESTS_ALONE = 30;
const JOBS_ALONE = 3;
const FRESH_BYTES = 16;

/** Submits images as one of two tenants. */
type Submit = (images: number) => Promise<SubmittedJob>;

interface Tenants extends Sides {
  readonly many: Submit;
  readonly other: Submit;
}

export async function measureJobs(bench: Bench): Promise<Measured> {
  await using sides = await openFirstSides(bench);
  const { service, bare, served, photos } = sides;
  const otherClient = await service.clientOf({ environment: 'other', right: 'full' });
  const many: Submit = (images) => submit(service.client, photos, images);
  const other: Submit = (images) => submit(otherClient, photos, images);
  const idle = await idleShare();
  await bare.run({ ...BARE, operations: photos.length });
  await served.run({ ...ONE_AT_A_TIME, operations: photos.length });
  await (
    await many(photos.length)
  ).ended;
  await (
    await other(1)
  ).ended;
  const { images, workers } = bench;
  const tenants = { ...sides, many, other };
  const rounds = await repeat(bench.rounds, () => measureRound(tenants, images));
  const all = <T>(of: (round: (typeof rounds)[0]) => T) => rounds.map(of);
  const p99 = (times: readonly number[]) => percentile(times, 0.99);
  const text = `## Jobs

${bench.madeBy} Just before, the cores were idle for
${(100 * idle).toFixed(0)} % of the time.

A job of ${images} images that the service never saw, as files of one request to \`/api/detect/bulk\` with \`type=faces\`, from the first
byte of the request until the job is done. The bare loop is that of \`/api/detect/faces\`, with ${workers} threads; the
service has ${workers} worker threads and runs with its database on the same cores. Beside such a job, a client of the same
environment sends one photo after the other to \`/api/test\` (${all(({ beside }) => beside).flat().length} in all), and another environment has jobs of one
image. Ratios are computed per round and shown as their median (least to greatest). That of the small job
compares it with twice its time alone and the time of one image per worker thread.

${markdownTable(
  ['measure', 'reference', 'measured', 'ratio', 'aim'],
  [
    [
      `images/s of a job of ${images} images; reference: the bare loop`,
      (images / median(all(({ bareSeconds }) => bareSeconds))).toFixed(1),
      (images / median(all(({ jobSeconds }) => jobSeconds))).toFixed(1),
      spreadCell(
        all(({ bareSeconds, jobSeconds }) => bareSeconds / jobSeconds),
        3,
      ),
      'at least 0.95',
    ],
    [
      'p99 of a request beside the job, ms; reference: without the job',
      p99(all(({ alone }) => alone).flat()).toFixed(0),
      p99(all(({ beside }) => beside).flat()).toFixed(0),
      spreadCell(all(({ alone, beside }) => p99(beside) / p99(alone))),
      'at most 2',
    ],
    [
      'seconds of a job of one image beside the large one; reference: alone',
      median(all(({ oneAlone }) => oneAlone)).toFixed(2),
      median(all(({ oneBeside }) => oneBeside)).toFixed(2),
      spreadCell(
        all(
          ({ oneAlone, oneBeside, jobSeconds }) =>
            oneBeside / (2 * oneAlone + (workers * jobSeconds) / images),
        ),
      ),
      'at most 1',
    ],
    [
      'share of the time of the job until its images are stored',
      '',
      '',
      spreadCell(all(({ storedSeconds, jobSeconds }) => storedSeconds / jobSeconds)),
      '',
    ],
  ],
)}`;
  return { text };
}

async function measureRound({ bare, served, many, other }: Tenants, images: number) {
  const runOne = async () => (await other(1)).ended;
  const { seconds: bareSeconds } = await bare.run({ ...BARE, operations: images });
  const { storedSeconds, ended } = await many(images);
  const jobSeconds = await ended;
  const requests = { ...ONE_AT_A_TIME, operations: REQUESTS_ALONE };
  const { milliseconds: alone } = await served.run(requests);
  const beside = await whileRunning(await many(images), async (first) => {
    const { milliseconds } = await served.run({ ...ONE_AT_A_TIME, first, operations: 1 });
    return milliseconds[0]!;
  });
  const oneAlone = median(await repeat(JOBS_ALONE, () => runOne()));
  const oneBeside = median(await whileRunning(await many(images), () => runOne()));
  return { bareSeconds, jobSeconds, storedSeconds, alone, beside, oneAlone, oneBeside };
}

/** Repeats the work, and returns the results that were complete before the job ended. */
async function whileRunning(
  { isOver, ended }: SubmittedJob,
  work: (at: number) => Promise<number>,
): Promise<number[]> {
  const results: number[] = [];
  for (let at = 0; ; at++) {
    const result = await work(at);
    if (isOver()) break;
    results.push(result);
  }
  await ended;
  return results;
}

/** A job whose images the service has stored. Its times begin with the first byte of the request. */
interface SubmittedJob {
  readonly storedSeconds: number;
  readonly isOver: () => boolean;
  /** Resolves to the number of seconds until the last image was done. */
  readonly ended: Promise<number>;
}

/** The interval of polls of a job, in ms for each of its images: short compared with an image's analysis. */
const POLL_MS = 10;
const LONGEST_POLL_MS = 200;

/**
 * Submits the photos in turn, each as a new image: it appends random bytes after the end of the picture, which
 * decoders ignore.
 */
async function submit(
  client: Client,
  photos: readonly Photo[],
  images: number,
): Promise<SubmittedJob> {
  const file = Array.from({ length: images }, (_, at) => {
    const { name, bytes } = photos[at % photos.length]!;
    return new File([bytes.slice(), randomBytes(FRESH_BYTES)], name);
  });
  const start = performance.now();
  const secondsSoFar = () => (performance.now() - start) / 1000;
  const answer = await client.detectBulk({ query: { async: true }, body: { type: 'faces', file } });
  const { job_id: id } = okWith(202, answer);
  const storedSeconds = secondsSoFar();
  let isOver = false;
  const ended = endOf(client, id).then(() => {
    isOver = true;
    return secondsSoFar();
  });
  return { storedSeconds, isOver: () => isOver, ended };
}

/** @throws Error if an image failed */
async function endOf(client: Client, id: number): Promise<void> {
  for (;;) {
    const { status, total, done } = ok(await client.getJob({ path: { id } }));
    if (status === 'done' && done === total) return;
    if (status === 'done' || status === 'failed') {
      throw new Error(`The job is ${status} with ${done} of ${total} images.`);
    }
    await sleep(Math.min(POLL_MS * total, LONGEST_POLL_MS));
  }
}
