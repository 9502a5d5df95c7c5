import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DetectionType } from '@sightline/core/detection-type';
import type { NewDetection, ReviewStatus } from '@sightline/core/detections/detection';
import type { CountedSource, SourceImage } from '@sightline/core/sources/source-image';
import type {
  SourceFilter,
  SourceOrder,
  SourcePosition,
} from '@sightline/core/sources/source-store';
import type { Page } from '@sightline/core/store/page';
import type { Scope } from '@sightline/core/store/scope';
import fc from 'fast-check';
import { sampleFace, sampleObject, sampleSource } from '../../support/fixtures/sample-records.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

interface StoredImage {
  readonly source: SourceImage;
  readonly detections: readonly NewDetection[];
  /** The detections by whose identities the row of the image is computed, if they differ. */
  readonly merged?: readonly NewDetection[];
}

const IMAGES = 60;
/**
 * The positions in `identityIds` of identities with faces. The identity at MERGING is being merged into the first
 * one; the identity at DELETING is being deleted.
 */
const FACES = [0, 1, 3, 4];
const MERGING = 3;
const DELETING = 4;
/** The id of an identity that does not exist, and one that stands for an identity that no filter finds. */
const [NO_IDENTITY, DELETED] = [999_999, -1];
const DAY = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const ORDERS: readonly SourceOrder[] = [
  'newest',
  'oldest',
  'most_detections',
  'fewest_detections',
  'taken',
];

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
    await home.identity('Ada L.'),
    await home.identity('Nobody'),
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
          sampleSource(scope, {
            externalRef: i % 3 === 0 ? null : `ref ${i % 4}`,
            takenAt: i % 4 === 0 ? null : new Date(DAY + ((i * 5) % 11) * HOUR),
          }),
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

/** Sets the time of the upload to a whole hour, so that several images share one. */
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
  readonly isPending: boolean;
  readonly className: string;
  readonly who: number;
}

function kindOfDetection(): fc.Arbitrary<Kind> {
  return fc.record({
    type: fc.constantFrom('face', 'object'),
    isManual: fc.boolean(),
    isKnown: fc.boolean(),
    isPending: fc.boolean(),
    className: fc.constantFrom('bicycle', 'dog'),
    who: fc.constantFrom(...FACES),
  });
}

function toDetection({ type, isManual, isKnown, isPending, className, who }: Kind): NewDetection {
  const reviewStatus = isPending ? 'pending' : 'confirmed';
  if (type === 'face') {
    const identityId = isKnown ? identityIds[who]! : null;
    return sampleFace(scope, { isManual, identityId, ...(isKnown && { reviewStatus }) });
  }
  return sampleObject(scope, {
    isManual,
    className,
    identityId: isKnown ? identityIds[2]! : null,
    ...(isKnown && { reviewStatus }),
  });
}

type Fits = (image: StoredImage, filter: SourceFilter) => boolean;

const isKnownFace = ({ type, identityId }: NewDetection): boolean =>
  type === 'face' && identityId !== null;

/** For each member of a filter, whether an image fits it. */
const CONDITIONS: Readonly<Record<keyof SourceFilter, Fits>> = {
  identityIds: ({ detections }, { identityIds: requested = [] }) =>
    requested.every((id) => detections.some(({ identityId }) => identityId === id)),
  type: ({ detections }, { type }) => detections.some((detection) => detection.type === type),
  externalRef: ({ source }, { externalRef }) => source.externalRef === externalRef,
  since: ({ source }, { since }) => source.uploadedAt >= since!,
  until: ({ source }, { until }) => source.uploadedAt < until!,
  asOf: ({ source }, { asOf }) => source.uploadedAt <= asOf!,
  except: ({ source }, { except = [] }) => !except.includes(source.id),
  noDetections: ({ detections }, { noDetections }) => !noDetections! || detections.length === 0,
  noCrops: ({ detections }, { noCrops }) => !noCrops! || detections.length === 0,
  noTaggedFaces: ({ detections }, { noTaggedFaces }) =>
    !noTaggedFaces! || !detections.some(isKnownFace),
  hasManualDetections: ({ detections }, { hasManualDetections }) =>
    !hasManualDetections! || detections.some(({ isManual }) => isManual),
  className: ({ detections }, { className }) =>
    detections.some((detection) => detection.className === className),
  withoutIdentityId: ({ detections }, { withoutIdentityId }) =>
    !detections.some(({ identityId }) => identityId === withoutIdentityId),
  identityTwice: ({ detections, merged = detections }, { identityTwice }) =>
    !identityTwice! ||
    merged.some(({ identityId }, i) =>
      merged.some((other, j) => i < j && identityId !== null && other.identityId === identityId),
    ),
  reviewStatus: ({ detections }, { reviewStatus }) =>
    detections.some((detection) => detection.reviewStatus === reviewStatus),
  takenSince: ({ source: { takenAt } }, { takenSince }) =>
    takenAt !== null && takenAt >= takenSince!,
  takenUntil: ({ source: { takenAt } }, { takenUntil }) =>
    takenAt !== null && takenAt < takenUntil!,
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
  taken: (a, b) => byTaken(b, a) || b.source.id - a.source.id,
};

const takenOf = ({ source }: StoredImage): number => source.takenAt?.getTime() ?? -1;
const byTaken = (a: StoredImage, b: StoredImage): number => takenOf(a) - takenOf(b);

function expected(filter: SourceFilter, order: SourceOrder): StoredImage[] {
  return images.filter((image) => fits(image, filter)).sort(BY[order]);
}

/** Reads the whole list page by page. */
async function pagesOf(filter: SourceFilter, order: SourceOrder, limit: number) {
  const listed: CountedSource[] = [];
  for (let after: SourcePosition | null = null; ; after = listed.at(-1)!) {
    const page: Page<CountedSource> = await store.database.withScope(scope, ({ sources }) =>
      sources.list(filter, { order, after, limit }),
    );
    expect(page.items.length).toBe(page.hasMore ? limit : page.items.length);
    listed.push(...page.items);
    if (!page.hasMore) return listed;
  }
}

const ids = async (filter: SourceFilter, order: SourceOrder): Promise<readonly number[]> => {
  const page = { order, after: null, limit: 1000 };
  const { items } = await store.database.withScope(scope, ({ sources }) =>
    sources.positions(filter, page),
  );
  return items.map(({ id }) => id);
};

const count = (filter: SourceFilter): Promise<number> =>
  store.database.withScope(scope, ({ sources }) => sources.count(filter));

/** Filters with a few members together, so that most filters find images. */
function anyFilter(): fc.Arbitrary<SourceFilter> {
  const time = fc.integer({ min: -1, max: 13 }).map((hour) => new Date(DAY + hour * HOUR));
  return fc
    .record({
      identityIds: seldom(
        fc
          .array(fc.constantFrom(0, 1, 2, 3, 4, 5), { maxLength: 5 })
          .map((indexes) => indexes.map((index) => identityIds[index] ?? NO_IDENTITY)),
      ),
      type: seldom(fc.constantFrom<DetectionType[]>('face', 'object')),
      externalRef: seldom(fc.constantFrom('ref 1', 'ref 2', 'no such')),
      since: seldom(time),
      until: seldom(time),
      noDetections: seldom(fc.boolean()),
      noTaggedFaces: seldom(fc.boolean()),
      noCrops: seldom(fc.boolean()),
      hasManualDetections: seldom(fc.boolean()),
      className: seldom(fc.constantFrom('bicycle', 'dog', 'no such')),
      withoutIdentityId: seldom(
        fc.constantFrom(0, 1, 2, 5).map((index) => identityIds[index] ?? NO_IDENTITY),
      ),
      identityTwice: seldom(fc.boolean()),
      reviewStatus: seldom(fc.constantFrom<ReviewStatus[]>('pending', 'confirmed', 'rejected')),
      takenSince: seldom(time),
      takenUntil: seldom(time),
    })
    .map(withoutAbsent);
}

function seldom<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** Expects that the query finds the same rows as a filter in JavaScript, in each of its forms. */
async function expectPlainFilter(runs: number): Promise<void> {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      anyFilter(),
      fc.constantFrom(...ORDERS),
      fc.integer({ min: 4, max: 30 }),
      async (filter, order, limit) => {
        const matching = expected(filter, order);
        found += matching.length;
        expect(await ids(filter, order)).toEqual(matching.map(({ source }) => source.id));
        expect(await count(filter)).toBe(matching.length);
        const pages = await pagesOf(filter, order, limit);
        expect(pages).toEqual(
          matching.map(({ source, detections }) => ({
            ...source,
            detectionCount: detections.length,
          })),
        );
      },
    ),
    { numRuns: runs },
  );
  expect(found).toBeGreaterThan(runs);
}

describe('while no identity is being deleted', () => {
  test.each(ORDERS)('all images come in the order %s', async (order) => {
    expect(await ids({}, order)).toEqual(expected({}, order).map(({ source }) => source.id));
    expect(await ids({}, order)).toHaveLength(IMAGES);
    expect(await count({})).toBe(IMAGES);
  });

  test('every combination of filters finds what a plain filter finds', () =>
    expectPlainFilter(120));

  test('a filter accepts a thousand identities, also the same one', async () => {
    const [ada] = identityIds;
    const strangers = Array.from({ length: 999 }, (_, i) => 1_000_000 + i);
    expect(await ids({ identityIds: [ada!, ...strangers] }, 'newest')).toEqual([]);
    expect(await ids({ identityIds: Array.from({ length: 1000 }, () => ada!) }, 'newest')).toEqual(
      await ids({ identityIds: [ada!] }, 'newest'),
    );
  });
});

test('an identity with many detections is looked for in another way', async () => {
  await store.query(
    `INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
     SELECT $1, 'identity.detections', unnest($2::bigint[]), 0, 40000`,
    [scope.environmentId, [identityIds[0], identityIds[2]]],
  );
  await expectPlainFilter(60);
});

test('while an identity merges, its faces are those of the target', async () => {
  await store.query(
    'UPDATE identities SET deleting_since = now(), merged_into = $1 WHERE id = $2',
    [identityIds[0], identityIds[MERGING]],
  );
  images = images.map((image) => ({
    ...image,
    merged: image.merged ?? image.detections,
    detections: image.detections.map((detection) =>
      detection.identityId === identityIds[MERGING]
        ? { ...detection, identityId: identityIds[0]! }
        : detection,
    ),
  }));
  await expectPlainFilter(60);
});

test('while an identity is deleted, its faces lead to no image, but count until their step', async () => {
  await store.query('UPDATE identities SET deleting_since = now() WHERE id = $1', [
    identityIds[DELETING],
  ]);
  images = images.map((image) => ({
    ...image,
    merged: image.merged ?? image.detections,
    detections: image.detections.map((detection) =>
      detection.identityId === identityIds[DELETING]
        ? { ...detection, identityId: DELETED }
        : detection,
    ),
  }));
  await expectPlainFilter(60);
});

function withoutAbsent(filter: object): SourceFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
