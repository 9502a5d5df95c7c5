import { expect, test } from '@jest/globals';
import { proseOf } from './prose.ts';

const located = (path: string, source: string) =>
  proseOf(path, source).map(({ line, text }) => `${line}: ${text}`);

test('code: comments and messages, but neither code nor what looks like a comment', () => {
  const source = `import { a } from 'a';

/**
 * A docstring
 * of two lines.
 *
 * @throws what it throws
 */
export function first(): void {
  // One comment
  // in two lines.
  log('Waiting for the database.', /\\/\\* no comment \\*\\//, \`// none \${a} // none\`);
  run(\`The pod \${a} has not answered yet.\`, 'SELECT a FROM b WHERE c', 'a key of no sentence');
  /* the end */
}
// After all tokens.
`;
  expect(located('a.ts', source)).toEqual([
    '3: A docstring of two lines.',
    '3: what it throws',
    '10: One comment in two lines.',
    '14: the end',
    '16: After all tokens.',
    '12: Waiting for the database.',
    '13: The pod `x` has not answered yet.',
  ]);
});

test('code with markup: comments within elements, too', () => {
  const source = `/** A page. */
export const page = (
  <main>
    {/* The reason. */}
    <p>// no comment</p>
  </main>
);
`;
  expect(located('page.tsx', source)).toEqual(['1: A page.', '4: The reason.']);
});

test('YAML: comments of neighboring lines are one, values are fragments', () => {
  const source = '# First line,\n# second line.\nport: 80 # The port.\n\n# Another.\n';
  expect(proseOf('values.yaml', source)).toEqual([
    { line: 1, text: 'First line, second line.', isSentence: true },
    { line: 3, text: 'The port.', isSentence: true },
    { line: 5, text: 'Another.', isSentence: true },
    { line: 3, text: 'port: 80 # The port.', isSentence: false },
  ]);
});

test('scripts: comments and the help of a target', () => {
  expect(located('Makefile', '# Why.\nall: ## Build it\n\techo "#no"\n')).toEqual([
    '1: Why.',
    '2: Build it',
  ]);
  expect(located('scripts/node-path', '#!/bin/sh\n# Why.\nexit\n')).toEqual(['2: Why.']);
});

test('Markdown: paragraphs, items, headings and rows, without blocks of code', () => {
  const source = `# Title

A paragraph
of two lines.

\`\`\`
code
\`\`\`

- First item
- Second item

| cell | cell |
`;
  expect(proseOf('a.md', source)).toEqual([
    { line: 1, text: '# Title', isSentence: false },
    { line: 3, text: 'A paragraph of two lines.', isSentence: true },
    { line: 10, text: 'First item', isSentence: true },
    { line: 11, text: 'Second item', isSentence: true },
    { line: 13, text: '| cell | cell |', isSentence: false },
  ]);
});

test('other files have no prose', () => {
  expect(proseOf('photo.jpg', '# no')).toEqual([]);
});
