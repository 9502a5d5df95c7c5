import { expect, test } from '@jest/globals';
import type { LibraryDetection, LibraryImage } from '../library/library-image.ts';
import type { Identity } from '../identities/identity.ts';
import { ARCHIVE_LIMITS, ArchiveRoom, identitiesWithin } from './archive-limits.ts';

const LIMITS = {
  image: { detections: 2, rejections: 3, floats: 8, vectors: 2, fileBytes: 100 },
  entries: 12,
  models: 2,
  identitiesBytes: 1000,
};

interface Has {
  readonly rejections?: number;
  readonly floats?: number;
  readonly cropBytes?: number;
  /** The model of each vector. */
  readonly models?: readonly number[];
}

function detectionWith({
  rejections = 0,
  floats = 0,
  cropBytes = 1,
  models = [1],
}: Has): LibraryDetection {
  const detection: Partial<LibraryDetection> = {
    id: 1,
    cropKey: 'crop',
    cropBytes,
    rejections: Array.from({ length: rejections }, (_, identity) => ({
      identity,
      isLatest: false,
      rejectedAt: new Date(0),
    })),
    vectors: models.map((modelId) => ({
      modelId,
      vector: new Float32Array(floats),
      enrolledAt: null,
    })),
  };
  return detection as LibraryDetection;
}

function imageWith(detections: readonly Has[], mediaBytes = 1): LibraryImage {
  const source = { id: 1, mediaKey: 'image', originalKey: null, sizeBytes: 1 };
  const image = { source, mediaBytes, detections: detections.map(detectionWith) };
  return image as unknown as LibraryImage;
}

test('an image that reaches each limit has room', () => {
  const detections = [
    { rejections: 2, floats: 4, cropBytes: 100 },
    { rejections: 1, floats: 4 },
  ];
  expect(new ArchiveRoom(LIMITS).take(imageWith(detections, 100))).toBe(true);
});

test.each<[string, LibraryImage]>([
  ['detections', imageWith([{}, {}, {}])],
  ['rejections', imageWith([{ rejections: 2 }, { rejections: 2 }])],
  ['floats', imageWith([{ floats: 4 }, { floats: 5 }])],
  ['vectors of a detection', imageWith([{ models: [1, 1, 1] }])],
  ['bytes of a crop', imageWith([{ cropBytes: 101 }])],
  ['bytes of the image', imageWith([], 101)],
])('an image with too many %s has none, and takes none', (_, image) => {
  const room = new ArchiveRoom(LIMITS);
  expect(room.take(image)).toBe(false);
  expect([1, 2, 3, 4].map(() => room.take(imageWith([])))).toEqual([true, true, true, false]);
});

test('images of more models than an archive may have have no room', () => {
  const room = new ArchiveRoom({ ...LIMITS, entries: 1000 });
  const take = (...models: readonly number[]) => room.take(imageWith([{ models }]));
  expect([take(1), take(3, 4), take(2), take(3), take(1, 2)]).toEqual([
    true,
    false,
    true,
    false,
    true,
  ]);
});

test('identities have room up to the bytes of their file', () => {
  const identity = { label: 'é'.repeat(100), externalRef: null } as Identity;
  const all = Array.from({ length: 9 }, () => identity);
  expect(identitiesWithin(all, LIMITS)).toHaveLength(2);
  expect(identitiesWithin(all.slice(0, 2), LIMITS)).toHaveLength(2);
  expect(identitiesWithin(all, ARCHIVE_LIMITS)).toBe(all);
});
