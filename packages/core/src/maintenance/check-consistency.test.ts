import { expect, test } from '@jest/globals';
import { type CheckDeps, checkConsistency } from './check-consistency.ts';

test('hundreds of thousands of findings are returned, as after the loss of a folder', async () => {
  const [ROWS, PAGE] = [200_000, 1000];
  const maintenance: CheckDeps['maintenance'] = {
    contradictions: () => Promise.resolve(['a contradiction']),
    orphans: () => Promise.resolve([]),
    mediaKeys({ after, limit }) {
      const start = after === '' ? 0 : Number(after) + 1;
      const count = Math.min(limit, ROWS - start);
      return Promise.resolve(Array.from({ length: count }, (_, index) => String(start + index)));
    },
  };
  const media = { list: () => ReadableStream.from([]).values() } as unknown as CheckDeps['media'];
  const findings = await checkConsistency({ maintenance, media });
  expect(findings).toHaveLength(ROWS + 1);
  expect(findings.at(PAGE)).toBe('The key "999" of a row is not a media key.');
});
