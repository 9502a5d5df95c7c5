import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { load } from 'js-yaml';

const PAGE = readFileSync('docs/kubernetes/troubleshooting.md', 'utf8');

/** Values of every `enum` of a member of this name. */
function valuesOf(node: unknown, member: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    const { enum: values = [] } = (key === member ? value : {}) as { readonly enum?: string[] };
    return [...values, ...valuesOf(value, member)];
  });
}

test('every reason of a failure is explained', () => {
  const crd = load(readFileSync('charts/sightline-operator/crds/inferencemodels.yaml', 'utf8'));
  const reasons = valuesOf(crd, 'reason').filter((reason) => reason !== '');
  expect(reasons.length).toBeGreaterThan(20);
  expect(reasons.filter((reason) => !PAGE.includes(`\n| \`${reason}\` `))).toEqual([]);
});

test.each(['install', 'production', 'upgrade', 'air-gapped', 'gitops', 'troubleshooting'])(
  'what docs/kubernetes/%s.md says of values is in the chart',
  (page) => {
    const text = readFileSync(`docs/kubernetes/${page}.md`, 'utf8');
    const values = load(readFileSync('charts/sightline/values.yaml', 'utf8')) as Readonly<
      Record<string, object>
    >;
    const named = Array.from(text.matchAll(/`([a-z]\w*)\.(\w+)[.\w]*`/gi));
    const unknown = named.filter(([, head = '', next = '']) => {
      const group = values[head];
      return group !== undefined && head !== 'operator' && !(next in group);
    });
    expect(unknown.map(([word]) => word)).toEqual([]);
  },
);
