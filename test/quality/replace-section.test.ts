import { expect, test } from '@jest/globals';
import { replaceSection } from './replace-section.ts';

const PAGE = `# Card

<!-- measured: a -->

old

<!-- end: a -->

<!-- measured: b -->
<!-- end: b -->

The end.
`;

test('only the section of that name is replaced', () => {
  const page = replaceSection(PAGE, 'a', 'new $1\n');
  expect(page).toBe(PAGE.replace('old', () => 'new $1'));
  expect(replaceSection(page, 'a', 'new $1')).toBe(page);
  expect(replaceSection(PAGE, 'b', 'both')).toContain(
    '<!-- measured: b -->\n\nboth\n\n<!-- end: b -->\n\nThe end.\n',
  );
});

test('a page without the section is an error', () => {
  expect(() => replaceSection(PAGE, 'c', 'text')).toThrow('<!-- measured: c -->');
});
