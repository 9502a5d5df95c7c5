import { expect, test } from '@jest/globals';
import type { Stores } from '../database/database.ts';
import type { Identity } from '../identities/identity.ts';
import type { LibraryImage } from '../library/library-image.ts';
import type { LibraryPart } from '../library/library-reader.ts';
import { digestOf } from '../media/digest-of.ts';
import { mediaKey } from '../media/media-key.ts';
import type { MediaStore } from '../media/media-store.ts';
import { ARCHIVE_LIMITS } from './archive-limits.ts';
import { exportLibrary } from './export-library.ts';

const BYTES = new Uint8Array(1000);
const IMAGES = 1000;

function image(id: number): LibraryImage {
  const key = mediaKey(1, 'sources', { digest: digestOf(BYTES), extension: 'jpg' });
  return {
    source: {
      id,
      digest: String(id),
      sizeBytes: BYTES.length,
      format: 'jpeg',
      width: 1,
      height: 1,
      storedWidth: 1,
      storedHeight: 1,
      mediaKey: key,
      originalKey: null,
      externalRef: null,
      uploadedAt: new Date(0),
      takenAt: null,
    },
    mediaBytes: BYTES.length,
    detections: [],
  };
}

/** A library of many images, which counts how often it is read. */
function manyImages() {
  const asked = { transactions: 0, files: 0, mostImages: 0 };
  const library: Partial<Stores['library']> = {
    extent: () => Promise.resolve({ images: IMAGES, lastImageId: IMAGES }),
    positions: ({ after, limit }: LibraryPart) =>
      Promise.resolve(
        Array.from({ length: Math.min(limit, IMAGES - after) }, (_, index) => ({
          id: after + index + 1,
          detectionCount: 0,
        })),
      ),
    images: (ids) => {
      asked.mostImages = Math.max(asked.mostImages, ids.length);
      return Promise.resolve(ids.map(image));
    },
    models: () => Promise.resolve([]),
  };
  const identities: Partial<Stores['identities']> = {
    list: () => Promise.resolve({ items: [], hasMore: false }),
  };
  const open: MediaStore['open'] = () => {
    asked.files += 1;
    return Promise.resolve({ size: BYTES.length, body: new Blob([BYTES]).stream() });
  };
  const withScope = <T>(_: unknown, read: (stores: Stores) => Promise<T>): Promise<T> => {
    asked.transactions += 1;
    return read({ library, identities } as Stores);
  };
  const nothing = () => undefined;
  const left = { excluded: nothing, identitiesExcluded: nothing };
  return { asked, identities, deps: { database: { withScope }, media: { open }, ...left } };
}

test('a thousand images are read page by page, and few ahead of the reader', async () => {
  const { asked, deps } = manyImages();
  const pages: number[] = [];
  let taken = 0;
  let mostAhead = 0;
  const request = { scope: { environmentId: 1 }, identityIds: null };
  for await (const part of exportLibrary(deps, request)) {
    if (part.part === 'file') taken += 1;
    mostAhead = Math.max(mostAhead, asked.files - taken);
    if (part.part === 'page') pages.push(part.images.length);
  }
  expect(taken).toBe(IMAGES);
  expect(pages).toEqual(Array.from({ length: 10 }, () => 100));
  expect(mostAhead).toBeLessThanOrEqual(8);
  // The 13 transactions are one for the identities, one for the positions, ten for the pages, and one for the models.
  expect(asked).toMatchObject({ transactions: 13, mostImages: 100 });
});

test('images that an import would refuse are excluded and counted', async () => {
  const { deps } = manyImages();
  const excluded: number[] = [];
  // Each image has one file, and is counted with the two files of a page: 3 entries.
  const limits = { ...ARCHIVE_LIMITS, entries: 3 + 3 * 250 };
  const request = { scope: { environmentId: 1 }, identityIds: null };
  const counts = { images: 0, excluded: 0 };
  const watched = { ...deps, limits, excluded: ({ id }: { id: number }) => void excluded.push(id) };
  for await (const part of exportLibrary(watched, request)) {
    if (part.part !== 'page') continue;
    counts.images += part.images.length;
    counts.excluded += part.excluded;
  }
  expect(counts).toEqual({ images: 250, excluded: 750 });
  expect(excluded).toHaveLength(750);
});

test('identities beyond the limit of an import are excluded and reported', async () => {
  const { identities, deps } = manyImages();
  const items = [1, 2, 3].map((id) => ({ id, label: `Ada ${id}`, externalRef: null }) as Identity);
  identities.list = () => Promise.resolve({ items, hasMore: false });
  let excluded = 0;
  const limited = {
    ...deps,
    identitiesExcluded: (count: number) => void (excluded = count),
    limits: { ...ARCHIVE_LIMITS, identitiesBytes: 200 },
  };
  const request = { scope: { environmentId: 1 }, identityIds: null };
  const { value: beginning } = await exportLibrary(limited, request).next();
  expect(beginning).toMatchObject({ part: 'beginning', identities: [{ id: 1 }] });
  expect(excluded).toBe(2);
});
