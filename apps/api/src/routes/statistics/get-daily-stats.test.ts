import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type TestConnection, withClient } from '@sightline/test/support/servers/test-server';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { Curator, operationOf } from '../../testing/curator.ts';
import { faceAt, facesInRow, photo } from '../../testing/people.ts';

let api: ApiServer;
let curator: Curator;
let connection: TestConnection;

beforeAll(async () => {
  api = await startApi(async () => {
    const database = await createMigratedDatabase();
    ({ connection } = database);
    return database;
  });
  curator = new Curator(api);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = facesInRow;
});
afterAll(() => api[Symbol.asyncDispose]());

const NOTHING = {
  images: 0,
  faces: 0,
  objects: 0,
  confirmed_automatic: 0,
  confirmed_human: 0,
  rejected: 0,
  enrolled: 0,
};

async function query(text: string, values: readonly unknown[] = []): Promise<void> {
  await withClient(connection, (client) => client.query(text, [...values]));
}

/** The last days, oldest first. */
async function days(count: number) {
  const { body } = await api.client.getDailyStats({ query: { days: count } });
  return body!.items;
}

/** The counts of a day, by default of today, without the date. */
async function countsOf(daysAgo = 0) {
  const [day] = await days(daysAgo + 1);
  return Object.fromEntries(Object.entries(day!).filter(([name]) => name !== 'date'));
}

/** Moves everything that was counted today, and all operations, to an earlier day. */
async function age(daysAgo: number): Promise<void> {
  await query(`UPDATE counter_deltas SET subject_id = subject_id - $1 WHERE counter LIKE 'day.%'`, [
    daysAgo,
  ]);
  await query('UPDATE operations SET created_at = created_at - make_interval(days => $1)', [
    daysAgo,
  ]);
}

describe('GET /api/stats/daily', () => {
  test('has each day until today, also without any counts', async () => {
    const now = Date.now();
    const items = await days(3);
    const dates = [2, 1, 0].map((ago) => new Date(now - ago * 86_400_000).toISOString());
    expect(items).toEqual(dates.map((date) => ({ date: date.slice(0, 10), ...NOTHING })));
    expect(await days(1)).toHaveLength(1);
    expect(await days(366)).toHaveLength(366);
    expect((await api.client.getDailyStats()).body!.items).toHaveLength(90);
  });

  test.each(['0', '367', '-1', '1.5', 'x', ''])('refuses %j days', async (text) => {
    const response = await api.fetch(`/api/stats/daily?days=${text}`);
    expect(await response.json()).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test('counts what is stored and decided', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    expect(await countsOf()).toEqual({
      ...NOTHING,
      images: 1,
      faces: 1,
      confirmed_human: 1,
      enrolled: 1,
    });
    api.analyzer.objectsOf = () => [{ ...faceAt(0), classId: 1, className: 'bicycle' }];
    const { body } = await api.client.detectAll({ body: { file: photo('1 90 180') } });
    const [, second, third] = body!.faces.map(({ detection_id: id }) => id);
    const detected = {
      images: 2,
      faces: 4,
      objects: 1,
      confirmed_automatic: 1,
      confirmed_human: 1,
      rejected: 0,
      enrolled: 2,
    };
    expect(await countsOf()).toEqual(detected);

    await curator.confirm(second!, anna);
    await api.client.rejectFace({ path: { id: third! } });
    const decided = { ...detected, confirmed_human: 2, rejected: 1, enrolled: 3 };
    expect(await countsOf()).toEqual(decided);
    // The same decision again is none, and the same photo is no other image.
    await curator.confirm(second!, anna);
    await api.client.detectFaces({ body: { file: photo('1 90 180') } });
    expect(await countsOf()).toMatchObject({ images: 2, confirmed_human: 2, rejected: 1 });
  });

  test('keeps the counts when records are deleted, and when counters are folded', async () => {
    const { identity } = await curator.enroll('Anna', '0');
    await curator.detect('90 180');
    const before = await countsOf();
    expect(before).toMatchObject({ images: 2, faces: 3 });
    await api.stores.maintenance.foldCounters();
    expect(await countsOf()).toEqual(before);
    const { body: images } = await api.client.listImages();
    for (const { id } of images!.items) await api.client.deleteImage({ path: { id } });
    await api.client.deleteIdentity({ path: { id: identity } });
    await api.stores.maintenance.foldCounters();
    expect(await countsOf()).toEqual(before);
    expect(await api.stores.maintenance.contradictions()).toEqual([]);
  });

  test('an undo subtracts from the day of its operation, and a redo adds there again', async () => {
    const { identity: anna } = await curator.enroll('Anna', '0');
    const faces = await curator.detect('90 91 180');
    const [first, second, third] = faces;
    await api.client.rejectFace({ path: { id: third! } });
    await age(2);
    const confirmed = operationOf(
      await api.client.reviewFaces({
        body: { detection_ids: [first, second!, third!], action: 'confirm', identity_id: anna },
      }),
    );
    await age(5);
    expect(await countsOf(5)).toEqual({ ...NOTHING, confirmed_human: 3, enrolled: 3 });
    const undone = await curator.undo(confirmed);
    expect(undone.body).toMatchObject({ undone: 3 });
    expect(await countsOf(5)).toEqual(NOTHING);
    // The face that is rejected again was rejected on another day.
    expect(await countsOf()).toEqual(NOTHING);
    const redone = await curator.undo(operationOf(undone));
    expect(await countsOf(5)).toEqual({ ...NOTHING, confirmed_human: 3, enrolled: 3 });
    const again = await curator.undo(operationOf(redone));
    expect(again.body).toMatchObject({ undone: 3 });
    expect(await countsOf(5)).toEqual(NOTHING);
    expect(await countsOf(7)).toMatchObject({ images: 2, faces: 4, rejected: 1 });
  });

  test('an undone enrollment counts on no day, and what a deletion took and an undo returns counts once', async () => {
    const { operation } = await curator.enroll('Anna', '0');
    await age(1);
    const undone = await curator.undo(operation);
    expect(await countsOf(1)).toEqual(NOTHING);
    await curator.undo(operationOf(undone));
    expect(await countsOf(1)).toEqual({
      ...NOTHING,
      images: 1,
      faces: 1,
      confirmed_human: 1,
      enrolled: 1,
    });
    const before = await countsOf(1);
    const { body: images } = await api.client.listImages();
    const deleted = await api.client.deleteImage({ path: { id: images!.items[0]!.id } });
    expect((await curator.undo(operationOf(deleted))).body).toMatchObject({ skipped: [] });
    expect([await countsOf(), await countsOf(1)]).toEqual([NOTHING, before]);
  });

  test('shows nothing of other environments', async () => {
    await curator.enroll('Anna', '0');
    expect(await countsOf()).not.toEqual(NOTHING);
    await api.reset();
    expect(await countsOf()).toEqual(NOTHING);
  });
});
