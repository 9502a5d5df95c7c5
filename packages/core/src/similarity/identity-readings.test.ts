import { expect, test } from '@jest/globals';
import { IdentityReadings } from './identity-readings.ts';

/** Reads a face with each id from 1 to a number, which differs between identities. */
const upTo =
  (faces: Readonly<Record<number, number>>) =>
  (identity: number, { after, limit }: { readonly after: number; readonly limit: number }) =>
    Promise.resolve(
      Array.from({ length: Math.min(limit, faces[identity]! - after) }, (_, at) => after + at + 1),
    );

test('a change that comes while its identity is read is done after another reading', async () => {
  const readings = new IdentityReadings();
  const [first, second] = [
    { id: 1, entityId: 5 },
    { id: 2, entityId: 5 },
  ];
  const read = upTo({ 5: 250 });
  expect(await readings.next({ name: 'losses', changes: [first], most: 200 }, read)).toHaveLength(
    200,
  );
  expect(readings.takeDone(['losses'], [first])).toEqual([]);
  expect(
    await readings.next({ name: 'losses', changes: [first, second], most: 200 }, read),
  ).toHaveLength(50);
  expect(readings.takeDone(['losses'], [first, second])).toEqual([1]);
  expect(await readings.next({ name: 'losses', changes: [second], most: 200 }, read)).toHaveLength(
    200,
  );
  expect(await readings.next({ name: 'losses', changes: [second], most: 200 }, read)).toHaveLength(
    50,
  );
  expect(readings.takeDone(['losses'], [second])).toEqual([2]);
});

test('readings of different lengths end together, however many turns one begins later', async () => {
  const faces = { 1: 2100, 2: 30, 3: 450 };
  for (const late of [0, 1, 2, 3, 7]) {
    const readings = new IdentityReadings();
    const changes = [1, 2, 3].map((entityId) => ({ id: 10 + entityId, entityId }));
    let open = changes;
    let turns = 0;
    for (; open.length > 0 && turns < 100; turns++) {
      await readings.next({ name: 'means', changes: open, most: 200 }, upTo(faces));
      if (turns >= late)
        await readings.next(
          { name: 'averages', changes: open, most: 200 },
          upTo({ 1: 150, 2: 1900, 3: 401 }),
        );
      const done = readings.takeDone(['means', 'averages'], open);
      open = open.filter(({ id }) => !done.includes(id));
    }
    expect(turns).toBeLessThan(30);
  }
});
