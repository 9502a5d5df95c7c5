import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import type { FaceAction } from '@sightline/core/curation/face-action';
import type { LabelTarget } from '@sightline/core/curation/face-task';
import type { PostgresStores } from '@sightline/postgres/open-postgres';
import { INSERT_FACES, SCOPED_TABLES } from '../../support/fixtures/face-rows.ts';
import { ReadCounter } from '../../support/fixtures/read-counter.ts';

const FEW = 3;
const MANY = 20_000;
/** The number of executions after which a connection may keep a generic plan. */
const TIMES = 6;
const PLANS_KEPT_MS = 300;
const environmentId = 1;

let counter: ReadCounter;

beforeAll(async () => {
  counter = await ReadCounter.open([...SCOPED_TABLES, 'outbox']);
  await counter.owner.query(`
    INSERT INTO environments (name) VALUES ('ours');
    INSERT INTO models (name, digest, task, version, license, commercial_use, provides,
      embedding_dim, classes, status)
    VALUES ('m', sha256('m'), 'face', '1', 'MIT', true, '{}', 2, '{}', 'active');
    SELECT setval(pg_get_serial_sequence('face_references', 'id'), ${10 * MANY})`);
});
afterAll(async () => {
  await counter[Symbol.asyncDispose]();
});

async function plant(from: number, to: number): Promise<void> {
  await counter.owner.query(`
    SET session_replication_role = replica;
    CREATE TEMPORARY TABLE n AS SELECT i, 1 AS e FROM generate_series(${from}, ${to}) AS i;
    ${INSERT_FACES}
    RESET session_replication_role;
    DROP TABLE n`);
}

test('a connection soon replans for many rows what it planned for few', async () => {
  await plant(1, FEW);
  await counter.owner.query('ANALYZE');
  const work = async (stores: PostgresStores) => {
    for (let time = 0; time < TIMES; time++) await review(stores, 1 + (time % FEW));
    await plant(FEW + 1, MANY);
    await sleep(PLANS_KEPT_MS);
    await review(stores, MANY / 2);
  };
  const through = await counter.tablesReadThrough(work, { plansKept: PLANS_KEPT_MS });
  expect(through).toEqual([]);
});

test('a connection that changed one row compares each of many rows only with itself', async () => {
  const { owner } = counter;
  const change = async (count: number) => {
    const ids = `WHERE environment_id = ${environmentId} AND detection_id <= ${count}`;
    await owner.query(`UPDATE face_references SET identity_id = identity_id ${ids}`);
    await owner.query(
      `UPDATE detections SET mismatch_reviewed = NOT mismatch_reviewed ${ids.replace('detection_id', 'id')}`,
    );
  };
  const plans: string[] = [];
  await owner.query(`
    LOAD 'auto_explain';
    SET auto_explain.log_level = notice; SET auto_explain.log_min_duration = 0;
    SET auto_explain.log_nested_statements = on; SET auto_explain.log_analyze = on`);
  await change(1);
  owner.on('notice', ({ message }) => plans.push(message ?? ''));
  await change(MANY / 100);
  await owner.query('RESET auto_explain.log_min_duration');
  const joins = plans.filter((plan) => plan.split('Named Tuplestore Scan').length > 2);
  expect(joins.length).toBeGreaterThan(8);
  expect(plans.filter((plan) => plan.includes('Rows Removed by Join Filter'))).toEqual([]);
});

async function review({ database, models }: PostgresStores, id: number): Promise<void> {
  const act = (action: FaceAction, target?: LabelTarget) =>
    actOnFace(
      { database, models },
      { scope: { environmentId }, id, action, ...(target && { target }) },
    );
  await act('reject');
  await act('restore');
  await act('confirm');
  await act('relabel', { label: `somebody ${id === 1 ? 2 : 1}` });
  await act('unassign');
  await act('relabel', { label: `somebody ${id}` });
}
