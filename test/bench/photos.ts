import { readdir, readFile } from 'node:fs/promises';
import type { SelectedPacks } from '@sightline/engine/packs/select-packs';
import { shared } from '../support/fixtures/shared.ts';
import { openEngine } from './open-engine.ts';
import { WORKLOADS } from './workloads.ts';

const SMALL_MEGAPIXELS = 1;
const LARGE_MEGAPIXELS = 12;

export interface Photo {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly megapixels: number;
}

export interface PhotoSet {
  /** Photos of less than one megapixel. */
  readonly small: readonly Photo[];
  /** The smallest photo of at least 12 megapixels. */
  readonly large: Photo;
}

/** The shared photos of people in which the models find a face. */
export async function loadPhotos(models: SelectedPacks): Promise<PhotoSet> {
  await using engine = await openEngine(models);
  const photos: Photo[] = [];
  for (const name of (await readdir(shared('photos/people'))).sort()) {
    const bytes = new Uint8Array(await readFile(shared('photos/people', name)));
    const { image, faces } = await engine.analyze({
      ...WORKLOADS.faces.analysis,
      image: bytes.slice(),
    });
    const megapixels = (image.width * image.height) / 1e6;
    if (faces !== null && faces.items.length > 0) photos.push({ name, bytes, megapixels });
  }
  const [large] = photos
    .filter(({ megapixels }) => megapixels >= LARGE_MEGAPIXELS)
    .sort((a, b) => a.megapixels - b.megapixels);
  if (large === undefined) throw new Error('There is no photo of 12 megapixels or more.');
  return { small: photos.filter(({ megapixels }) => megapixels < SMALL_MEGAPIXELS), large };
}
