import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DetectionType } from '@sightline/core/detection-type';
import type { NewDetection } from '@sightline/core/detections/detection';
import type { SourceImage } from '@sightline/core/sources/source-image';
import type { SourceFilter, SourceOrder } from '@sightline/core/sources/source-store';
import type { Scope } from '@sightline/core/store/scope';
import fc from 'fast-check';
import { sampleFace, sampleObject, sampleSource } from '../../support/fixtures/sample-records.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

interface StoredImage {
  readonly source: SourceImage;
  readonly detections: readonly NewDetection[];
}

const IMAGES = 60;
const DAY = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const ORDERS: readonly SourceOrder[] = ['newest', 'oldest', 'most_detections', 'fewest_detections'];

let store: StoreFixture;
let scope: Scope;
let identityIds: readonly number[];
let images: readonly StoredImage[];

beforeAll(async () => {
  store = await openStoreFixture();
  const home = await store.environment();
  ({ scope } = home);
  identityIds = [
    await home.identity('Ada'),
    await home.identity('Bo'),
    await home.identity('bicycle', 'object'),
  ];
  const drawn = fc.sample(fc.array(kindOfDetection(), { maxLength: 5 }), {
    numRuns: IMAGES,
    seed: 4,
  });
  images = await store.database.withEntities(
    { ...scope, locks: [{ entity: 'environment' }] },
    async (tx) => {
      const stored: StoredImage[] = [];
      for (const [i, kinds] of drawn.entries()) {
        const source = await tx.sources.insert(
          sampleSource(scope, { externalRef: i % 3 === 0 ? null : `ref ${i % 4}` }),
        );
        const detections = kinds.map(toDetection);
        await tx.detections.insert(source, detections);
        stored.push({ source, detections });
      }
      return stored;
    },
  );
  images = await Promise.all(images.map(uploadedAtSomeTime));
  // Images of another environment are never found.
  const other = (await store.environment()).scope;
  const foreign = sampleSource(other, { externalRef: 'ref 1' });
  await store.database.withEntities({ ...other, locks: [] }, (tx) => tx.sources.insert(foreign));
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

/** Whole hours, so that several images share one. */
async function uploadedAtSomeTime(image: StoredImage, i: number): Promise<StoredImage> {
  const uploadedAt = new Date(DAY + ((i * 7) % 12) * HOUR);
  await store.query('UPDATE source_images SET uploaded_at = $1 WHERE id = $2', [
    uploadedAt,
    image.source.id,
  ]);
  return { ...image, source: { ...image.source, uploadedAt } };
}

interface Kind {
  readonly type: DetectionType;
  readonly isManual: boolean;
  readonly isKnown: boolean;
  readonly who: number;
}

function kindOfDetection(): fc.Arbitrary<Kind> {
  return fc.record({
    type: fc.constantFrom('face', 'object'),
    isManual: fc.boolean(),
    isKnown: fc.boolean(),
    who: fc.constantFrom(0, 1),
  });
}

function toDetection({ type, isManual, isKnown, who }: Kind): NewDetection {
  if (type === 'face') {
    return sampleFace(scope, { isManual, identityId: isKnown ? identityIds[who]! : null });
  }
  return sampleObject(scope, { isManual, identityId: isKnown ? identityIds[2]! : null });
}

type Fits = (image: StoredImage, filter: SourceFilter) => boolean;

const isKnownFace = ({ type, identityId }: NewDetection): boolean =>
  type === 'face' && identityId !== null;

/** One condition for each member of a filter. */
const CONDITIONS: Readonly<Record<keyof SourceFilter, Fits>> = {
  identityIds: ({ detections }, { identityIds: wanted = [] }) =>
    wanted.every((id) => detections.some(({ identityId }) => identityId === id)),
  type: ({ detections }, { type }) => detections.some((detection) => detection.type === type),
  externalRef: ({ source }, { externalRef }) => source.externalRef === externalRef,
  since: ({ source }, { since }) => source.uploadedAt >= since!,
  until: ({ source }, { until }) => source.uploadedAt < until!,
  noDetections: ({ detections }, { noDetections }) => !noDetections! || detections.length === 0,
  noCrops: ({ detections }, { noCrops }) => !noCrops! || detections.length === 0,
  noTaggedFaces: ({ detections }, { noTaggedFaces }) =>
    !noTaggedFaces! || !detections.some(isKnownFace),
  hasManualDetections: ({ detections }, { hasManualDetections }) =>
    !hasManualDetections! || detections.some(({ isManual }) => isManual),
};

const fits: Fits = (image, filter) =>
  (Object.keys(filter) as (keyof SourceFilter)[]).every((name) => CONDITIONS[name](image, filter));

const BY: Readonly<Record<SourceOrder, (a: StoredImage, b: StoredImage) => number>> = {
  oldest: (a, b) =>
    a.source.uploadedAt.getTime() - b.source.uploadedAt.getTime() || a.source.id - b.source.id,
  newest: (a, b) => BY.oldest(b, a),
  fewest_detections: (a, b) =>
    a.detections.length - b.detections.length || a.source.id - b.source.id,
  most_detections: (a, b) => BY.fewest_detections(b, a),
};

function expected(filter: SourceFilter, order: SourceOrder): number[] {
  return images
    .filter((image) => fits(image, filter))
    .sort(BY[order])
    .map(({ source }) => source.id);
}

const ids = (filter: SourceFilter, order: SourceOrder): Promise<readonly number[]> =>
  store.database.withScope(scope, ({ sources }) => sources.ids(filter, order));

test.each(ORDERS)('without a filter all images come in the order %s', async (order) => {
  expect(await ids({}, order)).toEqual(expected({}, order));
  expect(expected({}, order)).toHaveLength(IMAGES);
});

test('every combination of filters finds what a plain filter finds', async () => {
  const flag = fc.option(fc.boolean(), { nil: undefined, freq: 2 });
  const filters = fc
    .record({
      identityIds: fc.option(
        fc.array(fc.constantFrom(0, 1, 2, 3), { maxLength: 3 }).map((indexes) =>
          // The last one does not exist.
          indexes.map((index) => identityIds[index] ?? 999_999),
        ),
        { nil: undefined },
      ),
      type: fc.constantFrom<(DetectionType | undefined)[]>('face', 'object', undefined, undefined),
      externalRef: fc.constantFrom(undefined, undefined, 'ref 1', 'ref 2', 'no such'),
      since: fc.option(
        fc.integer({ min: -1, max: 13 }).map((hour) => new Date(DAY + hour * HOUR)),
        { nil: undefined },
      ),
      until: fc.option(
        fc.integer({ min: -1, max: 13 }).map((hour) => new Date(DAY + hour * HOUR)),
        { nil: undefined },
      ),
      noDetections: flag,
      noTaggedFaces: flag,
      noCrops: flag,
      hasManualDetections: flag,
    })
    .map(withoutAbsent);
  let found = 0;
  await fc.assert(
    fc.asyncProperty(filters, fc.constantFrom(...ORDERS), async (filter, order) => {
      const wanted = expected(filter, order);
      found += wanted.length;
      expect(await ids(filter, order)).toEqual(wanted);
    }),
    { numRuns: 300 },
  );
  expect(found).toBeGreaterThan(100);
});

test('a filter accepts a thousand identities, also the same one', async () => {
  const [ada] = identityIds;
  const strangers = Array.from({ length: 999 }, (_, i) => 1_000_000 + i);
  expect(await ids({ identityIds: [ada!, ...strangers] }, 'newest')).toEqual([]);
  expect(await ids({ identityIds: Array.from({ length: 1000 }, () => ada!) }, 'newest')).toEqual(
    expected({ identityIds: [ada!] }, 'newest'),
  );
});

function withoutAbsent(filter: object): SourceFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
