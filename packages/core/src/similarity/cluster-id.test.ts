import { expect, test } from '@jest/globals';
import { clusterId, parseClusterId } from './cluster-id.ts';

test('an id stays the same while the faces and the cosine do', () => {
  const id = clusterId([7, 3, 100], 0.5);
  expect(clusterId([100, 7, 3], 0.5)).toBe(id);
  expect(clusterId([100, 7, 4], 0.5)).not.toBe(id);
  expect(clusterId([100, 7, 3], 0.6)).not.toBe(id);
  expect(parseClusterId(id)).toEqual({
    lowest: 3,
    cosine: 0.5,
    size: 3,
    digest: expect.any(String),
  });
});

const withCosine = (cosine: string) => Buffer.from(`[1,${cosine},2,"x"]`).toString('base64url');

test.each([withCosine('-1e999'), withCosine('1.1'), withCosine('null')])(
  '%j has no cosine',
  (text) => {
    expect(parseClusterId(text)).toBeNull();
  },
);

test.each(['', 'count', 'nonsense', 'W10', 'WzEsMiwzLDRd', 'WzEsMiwzXQ', 'e30'])(
  '%j is no id of a group',
  (text) => {
    expect(parseClusterId(text)).toBeNull();
  },
);
