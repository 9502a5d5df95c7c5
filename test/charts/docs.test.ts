import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { load } from 'js-yaml';

const PAGE = readFileSync('docs/kubernetes/troubleshooting.md', 'utf8');

/** The values of the `enum` schemas of all fields that are named `member`. */
function valuesOf(node: unknown, member: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    const { enum: values = [] } = (key === member ? value : {}) as { readonly enum?: string[] };
    return [...values, ...valuesOf(value, member)];
  });
}

test('every reason of a failure is explained', () => {
  const crd = load(readFileSync('crds/inferencemodels.yaml', 'utf8'));
  const reasons = valuesOf(crd, 'reason').filter((reason) => reason !== '');
  expect(reasons.length).toBeGreaterThan(20);
  expect(reasons.filter((reason) => !PAGE.includes(`\n| \`${reason}\` `))).toEqual([]);
});

const CHARTS = ['sightline', 'sightline-operator'].map(
  (chart) => load(readFileSync(`charts/${chart}/values.yaml`, 'utf8')) as Values,
);
type Values = Readonly<Record<string, unknown>>;
const PAGES = ['docs/kubernetes', 'docs/runbooks'].flatMap((folder) =>
  readdirSync(folder).map((name) => join(folder, name)),
);

/** Whether a chart has a value at a path. A map or list that users fill in may have any members. */
function has(values: unknown, path: readonly string[]): boolean {
  const [head, ...rest] = path;
  if (head === undefined) return true;
  if (typeof values !== 'object' || values === null) return false;
  if (Object.keys(values).length === 0) return true;
  return head in values && has((values as Values)[head], rest);
}

/** The paths in code spans such as `a.b` and `a.b=c`. */
function pathsOf(page: string): readonly (readonly string[])[] {
  return Array.from(page.matchAll(/`([a-z]\w*(?:\.\w+)+)[^`]*`/gi), ([, path = '']) =>
    path.split('.'),
  ).filter(([head = '']) => CHARTS.some((values) => head in values));
}

test('the pages contain values', () => {
  const paths = PAGES.flatMap((page) => pathsOf(readFileSync(page, 'utf8')));
  expect(paths.length).toBeGreaterThan(30);
});

test.each(PAGES)('the charts have all values that %s mentions', (page) => {
  const [platform, operator] = CHARTS;
  const isThere = ([head = '', ...rest]: readonly string[]) =>
    CHARTS.some((values) => has(values, [head, ...rest])) ||
    (head === 'operator' && has(platform, [head]) && has(operator, rest));
  const unknown = pathsOf(readFileSync(page, 'utf8')).filter((path) => !isThere(path));
  expect(unknown.map((path) => path.join('.'))).toEqual([]);
});
