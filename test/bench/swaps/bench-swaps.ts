import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ok } from '../../support/services/ok.ts';
import { shared } from '../../support/fixtures/shared.ts';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { startPlatform } from '../../support/services/running-platform.ts';
import type { RunningService } from '../../support/services/running-service.ts';
import { startStandalone } from '../../support/services/running-standalone.ts';
import { LoadGenerator } from '../load-generator.ts';
import { residentMemory } from '../memory-watch.ts';
import { PeriodLoad } from '../period-load.ts';
import type { Photo } from '../photos.ts';
import { measureReembedding, type ReembeddingFigures } from './measure-reembedding.ts';
import { measureSwaps, photoClients, type SwapFigures } from './measure-swaps.ts';
import { ModelSwaps } from './model-swaps.ts';
import { writeOtherPack } from './write-other-pack.ts';

export interface SwapBenchOptions {
  readonly photos: readonly Photo[];
  readonly workers: number;
  /** The number of timed swaps. Memory is compared after two swaps and after twice this number. */
  readonly count: number;
  /** The number of enrolled faces that are embedded again. */
  readonly faces: number;
}

export interface SwapBenchFigures extends Pick<SwapBenchOptions, 'count' | 'faces' | 'workers'> {
  readonly oneProcess: SwapFigures;
  readonly platform: SwapFigures;
  readonly memory: SwapMemory;
  readonly reembedding: ReembeddingFigures;
}

export interface SwapMemory {
  /** The numbers of swaps after which memory was read. */
  readonly swaps: readonly [number, number];
  /** The resident memory of the service's process, in bytes. */
  readonly bytes: readonly [number, number];
}

const PACKS = ['insightface', 'other-insightface'] as const;
const FIRST_SWAPS = 2;
/** Longer than the minute for which the service keeps the previous model. */
const PAUSE_MS = 75_000;

/** Swaps models in one process and in several, and measures how fast enrolled faces are embedded again. */
export async function benchSwaps(options: SwapBenchOptions): Promise<SwapBenchFigures> {
  await using packs = await temporaryFolder();
  for (const name of [PACKS[0], 'yolov8n']) {
    await cp(shared(join('packs', name)), join(packs.path, name), { recursive: true });
  }
  await writeOtherPack(join(packs.path, PACKS[0]), join(packs.path, PACKS[1]));
  const settings = {
    SIGHTLINE_PROVIDER: 'cpu',
    SIGHTLINE_MODELS_DIR: packs.path,
    SIGHTLINE_FACE_MODEL: PACKS[0],
  };
  const { oneProcess, memory } = await inOneProcess(settings, options);
  const platform = await inSeveral(settings, options);
  const reembedding = await measureReembedding(options);
  const { count, faces, workers } = options;
  return { count, faces, workers, oneProcess, platform, memory, reembedding };
}

type Settings = Readonly<Record<string, string>>;

async function inOneProcess(
  settings: Settings,
  { photos, workers, count }: SwapBenchOptions,
): Promise<Pick<SwapBenchFigures, 'oneProcess' | 'memory'>> {
  const threads = { SIGHTLINE_WORKERS: String(workers) };
  await using service = await startStandalone({ ...settings, ...threads });
  await enroll(service, photos);
  const swaps = await ModelSwaps.open(service, PACKS);
  const loaded = { urls: [service.url], apiKey: service.apiKey };
  const swapUnderLoad = async (times: number): Promise<void> => {
    await using load = new AsyncDisposableStack();
    load.use(new PeriodLoad(photoClients(load.use(new LoadGenerator(loaded, photos)))));
    for (let i = 0; i < times; i++) await swaps.swap();
  };
  const memoryAfter = async (swapped: number): Promise<number> => {
    await swapUnderLoad(swapped);
    await sleep(PAUSE_MS);
    return residentMemory(`${service.opsUrl}/metrics`);
  };
  const before = await memoryAfter(FIRST_SWAPS);
  const oneProcess = await measureSwaps({ loaded, swaps }, { photos, count });
  const after = await memoryAfter(count - FIRST_SWAPS);
  return {
    oneProcess,
    memory: { swaps: [FIRST_SWAPS, 2 * count], bytes: [before, after] },
  };
}

async function inSeveral(
  settings: Settings,
  { photos, workers, count }: SwapBenchOptions,
): Promise<SwapFigures> {
  const threads = { SIGHTLINE_WORKERS: String(Math.max(1, workers / 2)) };
  await using platform = await startPlatform({ settings: { ...settings, ...threads } });
  await enroll(platform, photos);
  const swaps = await ModelSwaps.open(platform, PACKS);
  return await measureSwaps({ loaded: platform, swaps }, { photos, count });
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
