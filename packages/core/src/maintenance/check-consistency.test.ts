import { describe, expect, test } from '@jest/globals';
import { type CheckDeps, checkConsistency } from './check-consistency.ts';

const COUNT = 200_000;
const KEYS = Array.from({ length: COUNT }, (_, index) => String(index));

/** Returns stores in which these rows and files stand alone. */
function storesOf({ rows, files }: Record<'rows' | 'files', string[]>): CheckDeps {
  const entries = files.map((key) => ({ key, size: 1, ageMs: Infinity }));
  return {
    maintenance: {
      contradictions: () => Promise.resolve([]),
      orphans: (keys) => Promise.resolve(keys),
      mediaKeys({ after, limit }) {
        const start = after === '' ? 0 : Number(after) + 1;
        return Promise.resolve(rows.slice(start, start + limit));
      },
    },
    eraser: { pending: () => Promise.resolve([]) },
    media: {
      list: () => ReadableStream.from(entries).values(),
      open: () => Promise.resolve({ size: 1, body: { cancel: () => undefined } }),
    } as unknown as CheckDeps['media'],
  };
}

describe('hundreds of thousands of findings are returned', () => {
  test('of rows, as after the loss of a folder', async () => {
    const findings = await checkConsistency(storesOf({ rows: KEYS, files: [] }));
    expect(findings).toHaveLength(COUNT);
    expect(findings[0]).toBe('The key "0" of a row is not a media key.');
  });

  test('of files, as after the loss of a database', async () => {
    const findings = await checkConsistency(storesOf({ rows: [], files: KEYS }));
    expect(findings).toHaveLength(COUNT);
    expect(findings[0]).toMatch(/^The file 0 \(.*\) belongs to no row\.$/);
  });
});
