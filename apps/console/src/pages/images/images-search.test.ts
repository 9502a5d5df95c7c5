import { describe, expect, test } from '@jest/globals';
import { isFiltered, parseImagesSearch, toFilter } from './images-search.ts';

describe('the address of the images', () => {
  test('has every filter', () => {
    const raw = {
      identity_id: [3, 5],
      without_identity_id: 7,
      type: 'face',
      review_status: 'pending',
      class_name: 'bus',
      external_ref: 'a b',
      sort: 'taken',
      no_crops: true,
      since: '2026-11-01',
    };
    expect(parseImagesSearch(raw)).toMatchObject(raw);
  });

  test('is read without what is not valid, whose parameters are still there', () => {
    const search = parseImagesSearch({
      identity_id: ['x', -1, 2.5],
      type: 'person',
      sort: 'best',
      no_crops: 'yes',
      since: '2026-99-99',
      until: 'yesterday',
      class_name: '',
    });
    expect(JSON.stringify(search)).toBe('{}');
    expect(Object.keys(search)).toContain('no_crops');
    expect(Object.keys(search)).toContain('identity_id');
  });

  test('has a single person, and a reference of digits', () => {
    expect(parseImagesSearch({ identity_id: 4, external_ref: 12 })).toMatchObject({
      identity_id: [4],
      external_ref: '12',
    });
  });
});

describe('the filter of a search', () => {
  test('contains only what is given, without the order', () => {
    expect(toFilter(parseImagesSearch({ sort: 'oldest', type: 'object' }))).toEqual({
      type: 'object',
    });
  });

  test('has the last day in it, in the time zone of the browser', () => {
    const { since, until } = toFilter(
      parseImagesSearch({ since: '2026-10-31', until: '2026-10-31' }),
    );
    expect(new Date(since!).getDate()).toBe(31);
    expect(new Date(until!).getDate()).toBe(1);
  });

  test('is empty without conditions', () => {
    expect(isFiltered(parseImagesSearch({ sort: 'oldest' }))).toBe(false);
    expect(isFiltered(parseImagesSearch({ no_crops: true }))).toBe(true);
  });
});
