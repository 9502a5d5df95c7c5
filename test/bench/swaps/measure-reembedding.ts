import { join } from 'node:path';
import type { FaceRegion } from '@sightline/core/analysis/image-analyzer';
import { discoverPacks } from '@sightline/engine/packs/discover-packs';
import { selectPacks } from '@sightline/engine/packs/select-packs';
import { drawPhoto, GRID } from '../../support/fixtures/draw-photo.ts';
import { temporaryData } from '../../support/fixtures/temporary-data.ts';
import { TOY_PACKS, writeOtherToyFaces, writeToyPacks } from '../../support/fixtures/toy-packs.ts';
import { activateModel } from '../../support/services/activate-model.ts';
import { ok } from '../../support/services/ok.ts';
import {
  type RunningStandalone,
  startStandalone,
} from '../../support/services/running-standalone.ts';
import type { Bench } from '../bench.ts';
import { grouped } from '../cells.ts';
import { markdownTable } from '../markdown-table.ts';
import { openEngine } from '../open-engine.ts';
import { timed } from '../statistics.ts';
import { WORKLOADS } from '../workloads.ts';
import { enrollAll, planLarger } from './plant-enrolled.ts';

const OTHER = 'other-faces';
const FACES_OF_IMAGE = GRID * GRID;
const TIMES = 10;

/**
 * Swaps toy models, which answer in a millisecond, in a library of enrolled faces, so that the figures show the
 * cost of everything but the models.
 *
 * @returns a part of a section
 */
export async function measureReembedding({ workers, faces: desired }: Bench): Promise<string> {
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
  const images = Math.ceil(desired / FACES_OF_IMAGE);
  const drawn = await inService(settings, (service) => detectImages(service, images));
  await enrollAll(data.path);
  const [forth, back] = await inService(settings, async (service) => {
    const swap = async (name: string) =>
      (await timed(() => activateModel(service.client, name))) / 1000;
    return [await swap(OTHER), await swap(TOY_PACKS.face)] as const;
  });
  const faces = images * FACES_OF_IMAGE;
  const rate = faces / Math.max(forth - back, 0.001);
  const alone = faces / (await embedAlone(packs, { workers, drawn }));
  const planned = await planLarger(data.path, { times: TIMES, model: OTHER });
  const { references } = planned;
  return `New embeddings of ${grouped(faces)} enrolled faces in ${grouped(images)} images, by toy models that take no time: the figures measure everything
else. The engine alone embeds the same faces at the same places with as many threads, without
files and rows. A switch plans, embeds and switches; the way back embeds nothing. Planning is the
look for images with enrolled faces that lack an embedding, in a library ten times as large.

${markdownTable(
  ['measure', 'here'],
  [
    ['a switch that embeds them all, s', forth.toFixed(1)],
    ['the way back, s', back.toFixed(1)],
    ['new embeddings of enrolled faces, faces/s', rate.toFixed(0)],
    ['the engine alone, faces/s', alone.toFixed(0)],
    ['ratio', (rate / alone).toFixed(2)],
    [
      `planning ${grouped(references)} references in ${grouped(planned.images)} images, s`,
      planned.seconds.toFixed(1),
    ],
    ['embedding these, at the same rate, s', (references / rate).toFixed(0)],
  ],
)}`;
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
  await using engine = await openEngine(models, workers);
  const found: DrawnFaces[] = [];
  for (const image of drawn) {
    const { faces } = await engine.analyze({ ...WORKLOADS.faces.analysis, image: image.slice() });
    found.push({ image, faceRegions: faces!.items });
  }
  const left = found.values();
  const work = async () => {
    for (const { image, faceRegions } of left) {
      await engine.analyze({ image: image.slice(), faceRegions });
    }
  };
  const all = () => Promise.all(Array.from({ length: 2 * workers }, work));
  return (await timed(all)) / 1000;
}
