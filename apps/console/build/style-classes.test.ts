import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const SOURCES = resolve(import.meta.dirname, '../src');

interface Used {
  readonly file: string;
  readonly sheet: string;
  readonly name: string;
}

/** Finds the classes that a source uses, by the name under which it imports each style sheet. */
function usedClasses(file: string, source: string): Used[] {
  const imports = source.matchAll(/^import (\w+) from '([^']+\.module\.css)';$/gm);
  return [...imports].flatMap(([, variable, path]) => {
    const sheet = resolve(dirname(file), path!);
    const names = source.matchAll(new RegExp(String.raw`(?<!['/\w])${variable}\.(\w+)`, 'g'));
    return [...names].map(([, name]) => ({ file, sheet, name: name! }));
  });
}

function definedClasses(sheet: string): ReadonlySet<string> {
  return new Set([...sheet.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name]) => name!));
}

test('each class that a component uses is in its style sheet', async () => {
  const files = (await readdir(SOURCES, { recursive: true })).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const used: Used[] = [];
  for (const name of files) {
    const file = join(SOURCES, name);
    used.push(...usedClasses(file, await readFile(file, 'utf8')));
  }
  expect(used.length).toBeGreaterThan(100);
  const missing: string[] = [];
  for (const { file, sheet, name } of used) {
    const classes = definedClasses(await readFile(sheet, 'utf8'));
    if (!classes.has(name)) missing.push(`${file}: ${name}`);
  }
  expect(missing).toEqual([]);
});
