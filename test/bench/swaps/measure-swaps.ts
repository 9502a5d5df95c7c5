import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { shared } from '../../support/fixtures/shared.ts';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { activateModel } from '../../support/services/activate-model.ts';
import { ok } from '../../support/services/ok.ts';
import { startPlatform } from '../../support/services/running-platform.ts';
import type { RunningService } from '../../support/services/running-service.ts';
import { startStandalone } from '../../support/services/running-standalone.ts';
import type { Bench, Measured } from '../bench.ts';
import { grouped, megabytes } from '../cells.ts';
import { type LoadedService, LoadGenerator } from '../load-generator.ts';
import { markdownTable } from '../markdown-table.ts';
import { residentMemory } from '../memory-watch.ts';
import { type Period, PeriodLoad, secondsOf, splitBy } from '../period-load.ts';
import type { Photo } from '../photos.ts';
import { threads } from '../sides.ts';
import { median } from '../statistics.ts';
import { measureReembedding } from './measure-reembedding.ts';

const PACKS = ['insightface', 'other-insightface'] as const;
const FIRST_SWAPS = 2;
/** The pause before the first swap and between two swaps. */
const PAUSE_MS = 5_000;
/** Time for the first requests, which are slower than usual. */
const WARM_UP_MS = 3_000;
/** Longer than the minute for which the service keeps the previous model. */
const UNLOADED_MS = 75_000;
/** A `doc_string` for an ONNX model, which no runtime evaluates. */
const DOC_STRING = Buffer.from([0x32, 5, ...Buffer.from('other')]);

/** A service whose models are switched while clients send requests. */
interface SwappedService {
  readonly loaded: LoadedService;
  readonly swap: () => Promise<Period>;
  readonly photos: readonly Photo[];
}

export async function measureSwaps(bench: Bench): Promise<Measured> {
  const { count, workers, madeBy } = bench;
  const { small: photos } = await bench.photos();
  await using packs = await temporaryFolder();
  await writePacks(packs.path);
  const settings = { SIGHTLINE_MODELS_DIR: packs.path, SIGHTLINE_FACE_MODEL: PACKS[0] };
  const rows = await inOneProcess(threads(workers, settings), photos, count);
  const [most, memory] = [rows.slice(0, -1), rows.at(-1)!];
  const half = Math.max(1, workers / 2);
  const several = await inSeveral(threads(half, settings), photos, count);
  const text = `## Swaps of models

${madeBy}

While one client sends a photo to \`/api/identify\` and another a new one to \`/api/detect/faces\`, each as soon as it
has its answer, an InsightFace pack and a copy of it with another revision are activated in turn, ${count} times, with 5 s
between them. Beside the faces there is a model for objects, which stays. One process has ${workers} worker threads;
several are two that answer and two that run the models, with ${half} each, on the same cores. A request counts as one
during a swap if the two overlapped. Memory is that of the one process, without load, after a previous model was unloaded.

${markdownTable(
  ['measure', 'usual', 'during a swap', 'ratio', 'aim'],
  [...most, ...several, memory],
)}

${await measureReembedding(bench)}`;
  return { text };
}

/**
 * Copies two packs, and one of them a second time with other bytes but the same weights: that copy is another
 * model of the same speed and memory.
 */
async function writePacks(folder: string): Promise<void> {
  for (const name of [PACKS[0], 'yolov8n']) {
    await cp(shared(join('packs', name)), join(folder, name), { recursive: true });
  }
  const other = join(folder, PACKS[1]);
  await cp(join(folder, PACKS[0]), other, { recursive: true });
  for (const file of await readdir(other)) {
    if (!file.endsWith('.onnx')) continue;
    const bytes = await readFile(join(other, file));
    await writeFile(join(other, file), Buffer.concat([bytes, DOC_STRING]));
  }
}

/** @returns rows, of which the last one is about memory */
async function inOneProcess(
  settings: Record<string, string>,
  photos: readonly Photo[],
  count: number,
): Promise<string[][]> {
  await using service = await startStandalone(settings);
  await enroll(service, photos);
  const loaded = { urls: [service.url], apiKey: service.apiKey };
  const swapped = { loaded, swap: swapsOf(service, PACKS), photos };
  const memoryAfter = async (times: number): Promise<number> => {
    await swapUnderLoad(swapped, times);
    await sleep(UNLOADED_MS);
    return residentMemory(`${service.opsUrl}/metrics`);
  };
  const before = await memoryAfter(FIRST_SWAPS);
  const rows = await timeSwaps('one process', swapped, count);
  const after = await memoryAfter(count - FIRST_SWAPS);
  return [
    ...rows,
    [
      `memory after ${2 * count} swaps / after ${FIRST_SWAPS}, MB`,
      megabytes(before),
      megabytes(after),
      (after / before).toFixed(2),
      'at most 1.05',
    ],
  ];
}

async function inSeveral(
  settings: Record<string, string>,
  photos: readonly Photo[],
  count: number,
): Promise<string[][]> {
  await using platform = await startPlatform({ settings });
  await enroll(platform, photos);
  const swap = swapsOf(platform, PACKS);
  return await timeSwaps('several', { loaded: platform, swap, photos }, count);
}

async function swapUnderLoad(service: SwappedService, times: number): Promise<void> {
  await using resources = new AsyncDisposableStack();
  resources.use(loadOf(resources.use(new LoadGenerator(service.loaded, service.photos))));
  for (let swap = 0; swap < times; swap++) await service.swap();
}

/** Swaps the models repeatedly, with pauses, while clients identify and detect. */
async function timeSwaps(
  name: string,
  { loaded, swap, photos }: SwappedService,
  count: number,
): Promise<string[][]> {
  const periods: Period[] = [];
  using generator = new LoadGenerator(loaded, photos);
  await using load = loadOf(generator);
  await sleep(WARM_UP_MS);
  const begin = performance.now();
  await sleep(PAUSE_MS);
  for (let swapped = 0; swapped < count; swapped++) {
    periods.push(await swap());
    await sleep(PAUSE_MS);
  }
  const answers = load.answers.filter(({ start }) => start >= begin);
  const { usual, during } = splitBy(periods, answers);
  const { length: failed } = load.failures;
  const seconds = median(periods.map(secondsOf)).toFixed(1);
  return [
    [`failed of ${grouped(answers.length)} requests, ${name}`, '', String(failed), '', '0'],
    [
      `p99 of ${usual.requests} and ${during.requests} requests, ${name}, ms`,
      usual.p99.toFixed(0),
      during.p99.toFixed(0),
      (during.p99 / usual.p99).toFixed(2),
      'at most 2',
    ],
    [`a swap, ${name}, s`, '', seconds, '', ''],
  ];
}

/** @returns a function that activates the models in turn, the second one first */
function swapsOf(
  { client }: Pick<RunningService, 'client'>,
  models: readonly string[],
): () => Promise<Period> {
  let turn = 0;
  return async () => {
    const start = performance.now();
    await activateModel(client, models[++turn % models.length]!);
    return { start, end: performance.now() };
  };
}

/** Two clients, one that identifies and one that detects. */
function loadOf(generator: LoadGenerator): PeriodLoad {
  const clients = (['identify', 'detect'] as const).map(
    (workload) => (first: number) =>
      Promise.resolve(() => generator.run({ workload, first, operations: 1, concurrency: 1 })),
  );
  return new PeriodLoad(clients);
}

/** Enrolls the first face of each photo under the photo's name. */
async function enroll(
  { client }: Pick<RunningService, 'client'>,
  photos: readonly Photo[],
): Promise<void> {
  for (const { name, bytes } of photos) {
    const file = new File([bytes.slice()], name);
    const { faces } = ok(await client.detectFaces({ body: { file } }));
    const [face] = faces;
    if (face === undefined) continue;
    ok(await client.labelDetection({ path: { id: face.detection_id }, body: { label: name } }));
  }
}
