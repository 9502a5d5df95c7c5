import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { plantLibrary } from '../../bench/library/plant-library.ts';
import { SCOPED_TABLES } from '../../support/fixtures/face-rows.ts';
import { ReadCounter } from '../../support/fixtures/read-counter.ts';
import { scopedReads } from '../../support/fixtures/scoped-reads.ts';

const DIMENSION = 16;
const [LARGE, MODEL] = [1, 1];
/** The share of the benchmark's library that this test creates. */
const SCALE = 0.1;

let counter: ReadCounter;

beforeAll(async () => {
  counter = await ReadCounter.open(SCOPED_TABLES);
  const { owner } = counter;
  await owner.query(`
    INSERT INTO environments (name) VALUES ('large');
    INSERT INTO models (name, digest, task, version, license, commercial_use, provides,
      embedding_dim, classes, status)
    VALUES ('m', sha256('m'), 'face', '1', 'MIT', true, '{}', ${DIMENSION}, '{}', 'active')`);
  await plantLibrary(owner, { scale: SCALE, modelId: MODEL, dimension: DIMENSION });
  await counter.tablesReadThrough(({ maintenance }) => maintenance.foldCounters());
  await owner.query(
    "INSERT INTO index_readers (name, filled_at) VALUES ('reader 1', now()); ANALYZE",
  );
});

afterAll(async () => {
  await counter[Symbol.asyncDispose]();
});

test('what is planted agrees with itself', async () => {
  let findings: readonly string[] = [];
  await counter.tablesReadThrough(async ({ maintenance }) => {
    findings = await maintenance.contradictions();
  });
  expect(findings.slice(0, 5)).toEqual([]);
});

const READS = scopedReads({ id: 2500, modelId: MODEL });

/** Whether the statement is a count that must read the many images that it counts. */
const isCountOfMany = (name: string): boolean => name === 'sources.count of nothing at all';

test.each(Object.entries(READS).filter(([name]) => !isCountOfMany(name)))(
  '%s uses an index',
  async (_, read) => {
    const through = await counter.tablesReadThrough(({ database }) =>
      database.withScope({ environmentId: LARGE }, read),
    );
    expect(through).toEqual([]);
  },
);
