import { describe, expect, test } from '@jest/globals';
import { planLimits, planUploads } from './plan-uploads.ts';
import { type Upload, USUAL_CHOICES } from './upload.ts';

const LIMITS = { singles: 3, batch: 4, batchBytes: 100 };

const upload = (id: number, changed: Partial<Upload> = {}): Upload => ({
  id,
  source: { name: `${id}.jpg`, file: new File(['x'], `${id}.jpg`) },
  choices: USUAL_CHOICES,
  key: String(id),
  state: { name: 'waiting' },
  isAlone: false,
  ...changed,
});
const uploads = (count: number, changed: Partial<Upload> = {}) =>
  Array.from({ length: count }, (_, index) => upload(index + 1, changed));
const planned = (waiting: readonly Upload[], limits = LIMITS) =>
  planUploads(waiting, limits).map(({ id }) => id);

describe('the next request', () => {
  test('has one photo while few are waiting', () => {
    expect(planned([])).toEqual([]);
    expect(planned(uploads(3))).toEqual([1]);
  });

  test('has as many photos as the service accepts once many are waiting', () => {
    expect(planned(uploads(9))).toEqual([1, 2, 3, 4]);
  });

  test('has no more bytes than the service accepts, but always a photo', () => {
    const large = { source: { name: 'a.jpg', file: new File(['x'.repeat(60)], 'a.jpg') } };
    expect(planned(uploads(9, large))).toEqual([1]);
    expect(planned(uploads(9, large), { ...LIMITS, batchBytes: 120 })).toEqual([1, 2]);
    expect(planned(uploads(9, large), { ...LIMITS, batchBytes: 1 })).toEqual([1]);
  });

  test('has photos with the same choices and from the same kind of source', () => {
    const address = { source: { name: 'https://a.example', url: 'https://a.example' } };
    const faces = { choices: { ...USUAL_CHOICES, detect: 'faces' } } as const;
    const again = { choices: { ...USUAL_CHOICES, replaces: true } };
    const mixed = [upload(1), upload(2, address), upload(3, faces), upload(4, again), upload(5)];
    expect(planned(mixed)).toEqual([1, 5]);
    expect(planned(mixed.slice(1).concat(upload(6, address)))).toEqual([2, 6]);
  });

  test('has one photo if that needs a request of its own', () => {
    const referenced = { choices: { ...USUAL_CHOICES, namesAreRefs: true } };
    expect(planned(uploads(9, referenced))).toEqual([1]);
    expect(planned(uploads(9, { isAlone: true }))).toEqual([1]);
    expect(planned([upload(1), upload(2, { isAlone: true }), upload(3), upload(4)])).toEqual([
      1, 3, 4,
    ]);
  });
});

test('the limits are those of the service, and none are broken before they are known', () => {
  expect(planUploads(uploads(9), planLimits(undefined))).toHaveLength(1);
  expect(planLimits({ bulk_images: 20, bulk_job_images: 200, batch_bytes: 2 ** 31 })).toMatchObject(
    { singles: 20, batch: 50 },
  );
  expect(planLimits({ bulk_images: 20, bulk_job_images: 8, batch_bytes: 2 ** 20 })).toEqual({
    singles: 20,
    batch: 8,
    batchBytes: 2 ** 19,
  });
});
