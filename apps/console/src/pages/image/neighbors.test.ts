import { expect, test } from '@jest/globals';
import { after, neighborQueries } from './neighbors.ts';

const IMAGE = { uploaded_at: '2026-11-29T10:00:00.000Z', taken_at: '2020-05-01T08:00:00.000Z' };

test('the neighbors are those by the time of the upload', () => {
  const { previous, next } = neighborQueries(IMAGE, { no_crops: true });
  expect(previous).toMatchObject({ since: IMAGE.uploaded_at, sort: 'oldest', no_crops: true });
  expect(next).toMatchObject({ until: '2026-11-29T10:00:00.001Z', sort: 'newest' });
});

test('they change places in the opposite order', () => {
  const { previous, next } = neighborQueries(IMAGE, { sort: 'oldest' });
  expect(previous).toMatchObject({ sort: 'newest' });
  expect(next).toMatchObject({ sort: 'oldest' });
});

test('by the time when photos were taken, the next one is known', () => {
  const { previous, next } = neighborQueries(IMAGE, { sort: 'taken' });
  expect(previous).toBeNull();
  expect(next).toMatchObject({ taken_until: '2020-05-01T08:00:00.001Z', sort: 'taken' });
});

test('the conditions of the list stay', () => {
  const { previous, next } = neighborQueries(IMAGE, { since: '2026-12-24', until: '2026-01-01' });
  expect(Date.parse(previous!.since!)).toBeGreaterThan(Date.parse(IMAGE.uploaded_at));
  expect(Date.parse(next!.until!)).toBeLessThan(Date.parse(IMAGE.uploaded_at));
});

test('an image is followed by the one after it', () => {
  expect(after(2, [1, 2, 3])).toBe(3);
  expect(after(3, [1, 2, 3])).toBeNull();
  expect(after(9, [1, 2])).toBe(1);
  expect(after(1, undefined)).toBeNull();
});
