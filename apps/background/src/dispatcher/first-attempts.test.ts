import { expect, test } from '@jest/globals';
import type { DueAttempt } from '@sightline/core/webhooks/delivery-queue';
import { FirstAttempts } from './first-attempts.ts';
import { type FirstAttempt, queuedAttemptOf } from './message-of.ts';

const attempt = (id: number, data: object): FirstAttempt =>
  queuedAttemptOf({
    position: { xid: '1', id },
    eventId: String(id),
    event: 'any',
    attempt: 1,
    body: new TextEncoder().encode(JSON.stringify({ data })),
  });

test('attempts that name the same entity wait for each other, and other attempts overtake them', () => {
  const first = new FirstAttempts();
  const attempts = [
    attempt(1, { identity_id: 1 }),
    attempt(2, { identity_id: 1, detection_id: 5 }),
    attempt(3, { detection_id: 5 }),
    attempt(4, { identity_id: 2 }),
    attempt(5, { job_id: 9 }),
    attempt(6, { job_id: 9 }),
  ];
  first.add(attempts, { areQueued: false });
  const take = () => first.take();
  const one = take()!;
  expect(one.attempt.position.id).toBe(1);
  expect([take(), take(), take()].map((taken) => taken?.attempt.position.id)).toEqual([4, 5, 6]);
  // The second attempt waits for the first one, and the third attempt waits for the second one.
  expect(take()).toBeNull();
  one.end();
  const two = take()!;
  expect(two.attempt.position.id).toBe(2);
  expect(take()).toBeNull();
  two.end();
  expect(take()!.attempt.position.id).toBe(3);
  expect(first).toMatchObject({ size: 0, bytes: 0 });
});

test('the attempts that the furthest one has passed are returned once, and then count as queued', () => {
  const first = new FirstAttempts();
  const idsOf = (attempts: readonly DueAttempt[]) =>
    attempts.map(({ position }) => position.id).sort();
  first.add([attempt(1, { job_id: 1 })], { areQueued: true });
  const others = [
    attempt(2, { identity_id: 1 }),
    attempt(3, { identity_id: 1 }),
    attempt(4, { identity_id: 2 }),
    attempt(5, { identity_id: 3 }),
  ];
  first.add(others, { areQueued: false });
  const [queued, two, four] = [first.take()!, first.take()!, first.take()!];
  queued.end();
  expect(first.furthest).toBeNull();
  four.end();
  expect(first.furthest?.position.id).toBe(4);
  expect(idsOf(first.passed())).toEqual([2, 3]);
  expect(first.passed()).toEqual([]);
  two.end();
  const three = first.take()!;
  expect([queued, two, three, four].map(({ wasQueued }) => wasQueued)).toEqual([
    true,
    true,
    true,
    false,
  ]);
  three.end();
  expect(first.furthest?.position.id).toBe(4);
  expect(first.isDone).toBe(false);
  first.take()!.end();
  expect(first).toMatchObject({ isDone: true, furthest: { position: { id: 5 } } });
});
