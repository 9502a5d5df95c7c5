import { describe, expect, test } from '@jest/globals';
import { parseObjectsSearch } from './objects-search.ts';
import { type ObjectClass, shownClasses } from './shown-classes.ts';
import { readVocabulary } from './vocabulary.ts';

describe('the vocabulary', () => {
  test('has each line once, and says what is repeated or blank', () => {
    expect(readVocabulary(' a red umbrella \nbus\r\n\nbus\nbus\n茶色い犬')).toEqual({
      phrases: ['a red umbrella', 'bus', '茶色い犬'],
      repeated: ['bus'],
      blanks: 1,
    });
  });

  test('is empty without a text', () => {
    expect(readVocabulary('')).toEqual({ phrases: [], repeated: [], blanks: 0 });
  });
});

describe('the classes', () => {
  const classes = [
    { class_name: 'apple', detection_count: 2 },
    { class_name: 'Bus', detection_count: 9 },
    { class_name: 'bush', detection_count: 3 },
  ] as ObjectClass[];
  const names = (search: Parameters<typeof shownClasses>[1]) =>
    shownClasses(classes, search).map(({ class_name: name }) => name);

  test('are in the order of their numbers, unless that of the names is chosen', () => {
    expect(names({})).toEqual(['Bus', 'bush', 'apple']);
    expect(names({ sort: 'name' })).toEqual(['apple', 'Bus', 'bush']);
  });

  test('are found by a part of the name', () => {
    expect(names({ q: ' BUS' })).toEqual(['Bus', 'bush']);
  });
});

test.each([
  [{}, { q: undefined, sort: undefined }],
  [
    { q: 12, sort: 'name' },
    { q: '12', sort: 'name' },
  ],
  [
    { q: ' ', sort: 'x' },
    { q: undefined, sort: undefined },
  ],
])('%j', (raw, search) => expect(parseObjectsSearch(raw)).toEqual(search));
