import { expect, test } from '@jest/globals';
import { matchesEntityTag } from './entity-tag.ts';

test.each(['"a"', 'W/"a"', '"x", "a"', '"x",W/"a" ', '*'])('%s names the tag', (header) => {
  expect(matchesEntityTag(header, '"a"')).toBe(true);
});

test.each([undefined, '', 'a', '"b"', '"A"', '"aa"'])('%s does not', (header) => {
  expect(matchesEntityTag(header, '"a"')).toBe(false);
});
