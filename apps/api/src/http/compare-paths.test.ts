import { expect, test } from '@jest/globals';
import { comparePaths } from './compare-paths.ts';

test.each<[string, string]>([
  ['/a/b', '/a/{id}'],
  ['/a/b/{id}', '/a/{id}/b'],
  ['/a/{id}/b', '/a/{id}/{name}'],
  ['/a/b.txt', '/a/{name}.txt'],
  ['/a/{name}.txt', '/a/{name}'],
  ['/a', '/a/b'],
  ['/a', '/a/{id}'],
  ['/a/{id}', '/a/{id}/b'],
])('%s comes before %s', (first, second) => {
  expect(comparePaths(first, second)).toBeLessThan(0);
  expect(comparePaths(second, first)).toBeGreaterThan(0);
});

test('paths of the same form are equal, even with other names', () => {
  expect(comparePaths('/a/{id}/b', '/c/{name}/d')).toBe(0);
});

test('the sorted order does not depend on the order of the input', () => {
  const paths = ['/a', '/a/b', '/a/b/{id}', '/a/{id}', '/a/{id}/b', '/a/{id}/{name}', '/{any}'];
  for (let turn = 0; turn < paths.length; turn++) {
    const turned = [...paths.slice(turn), ...paths.slice(0, turn)];
    expect(turned.sort(comparePaths)).toEqual(paths);
    expect(turned.reverse().sort(comparePaths)).toEqual(paths);
  }
});
