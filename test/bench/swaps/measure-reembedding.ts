import { join } from 'node:path';
import type { FaceRegion } from '@sightline/core/analysis/image-analyzer';
import { createEngine } from '@sightline/engine/engine';
import { discoverPacks } from '@sightline/engine/packs/discover-packs';
import { selectPacks } from '@sightline/engine/packs/select-packs';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { drawPhoto, GRID } from '../../support/fixtures/draw-photo.ts';
import { temporaryData } from '../../support/fixtures/temporary-data.ts';
import { TOY_PACKS, writeOtherToyFaces, writeToyPacks } from '../../support/fixtures/toy-packs.ts';
import { ok } from '../../support/services/ok.ts';
import {
  type RunningStandalone,
  startStandalone,
} from '../../support/services/running-standalone.ts';
import { WORKLOADS } from '../workloads.ts';
import { secondsOf } from '../period-load.ts';
import { ModelSwaps } from './model-swaps.ts';
import { enrollAll, type Planned, planLarger } from './plant-enrolled.ts';

export interface ReembeddingOptions {
  readonly workers: number;
  /** The number of enrolled faces. */
  readonly faces: number;
}

export interface ReembeddingFigures {
  readonly faces: number;
  readonly images: number;
  /** The seconds of the switch that embeds all faces. */
  readonly forth: number;
  /** The seconds of the switch back, which embeds none. */
  readonly back: number;
  /** The seconds in which the engine alone embeds the same regions, with as many threads. */
  readonly engineAlone: number;
  /** The search for images to embed, among ten times as many references. */
  readonly planned: Planned;
}

const OTHER = 'other-faces';
const FACES_OF_IMAGE = GRID * GRID;
const TIMES = 10;

/**
 * Swaps toy models, which answer in a millisecond, in a library of enrolled faces. So the figures show the
 * cost of everything but the models.
 */
export async function measureReembedding({
  workers,
  faces,
}: ReembeddingOptions): Promise<ReembeddingFigures> {
  await using data = await temporaryData();
  const packs = join(data.path, '../packs');
  await writeToyPacks(packs);
  await writeOtherToyFaces(packs, OTHER);
  const settings = {
    SIGHTLINE_DATA: data.path,
    SIGHTLINE_MODELS_DIR: packs,
    SIGHTLINE_FACE_MODEL: TOY_PACKS.face,
    SIGHTLINE_WORKERS: String(workers),
  };
  const images = Math.ceil(faces / FACES_OF_IMAGE);
  const drawn = await inService(settings, (service) => detectImages(service, images));
  await enrollAll(data.path);
  const [forth, back] = await inService(settings, async (service) => {
    const swaps = await ModelSwaps.open(service, [TOY_PACKS.face, OTHER]);
    return [secondsOf(await swaps.swap()), secondsOf(await swaps.swap())] as const;
  });
  const engineAlone = await embedAlone(packs, { workers, drawn });
  const planned = await planLarger(data.path, { times: TIMES, model: OTHER });
  return { faces: images * FACES_OF_IMAGE, images, forth, back, engineAlone, planned };
}

async function inService<T>(
  settings: Readonly<Record<string, string>>,
  work: (service: RunningStandalone) => Promise<T>,
): Promise<T> {
  await using service = await startStandalone(settings);
  const done = await work(service);
  await service.stop();
  return done;
}

async function detectImages(
  { client }: RunningStandalone,
  images: number,
): Promise<readonly Uint8Array[]> {
  const drawn: Uint8Array[] = [];
  for (let image = 0; image < images; image++) {
    const names = Array.from({ length: FACES_OF_IMAGE }, (_, face) => `P${image}-${face}`);
    const file = await drawPhoto({ faces: names });
    const { faces } = ok(await client.detectFaces({ body: { file } }));
    if (faces.length !== FACES_OF_IMAGE) throw new Error(`${faces.length} faces were found.`);
    drawn.push(new Uint8Array(await file.arrayBuffer()));
  }
  return drawn;
}

interface DrawnFaces {
  readonly image: Uint8Array;
  readonly faceRegions: readonly FaceRegion[];
}

/** The seconds in which the engine embeds all faces at their detected places. */
async function embedAlone(
  packs: string,
  { workers, drawn }: { readonly workers: number; readonly drawn: readonly Uint8Array[] },
): Promise<number> {
  const models = selectPacks((await discoverPacks(packs)).packs, { face: OTHER });
  await using engine = await createEngine({
    ...models,
    provider: 'cpu',
    workers,
    queueLimit: drawn.length,
    limits: DEFAULT_IMAGE_LIMITS,
    observer: SILENT_OBSERVER,
  });
  const found: DrawnFaces[] = [];
  for (const image of drawn) {
    const { faces } = await engine.analyze({ ...WORKLOADS.faces.analysis, image: image.slice() });
    found.push({ image, faceRegions: faces!.items });
  }
  const start = performance.now();
  const left = found.values();
  const work = async () => {
    for (const { image, faceRegions } of left) {
      await engine.analyze({ image: image.slice(), faceRegions });
    }
  };
  await Promise.all(Array.from({ length: 2 * workers }, work));
  return (performance.now() - start) / 1000;
}

const SILENT_OBSERVER = {
  stageTimed: () => undefined,
  analysisRefused: () => undefined,
  jobStarted: () => undefined,
  jobRefused: () => undefined,
  workerLost: () => undefined,
};
