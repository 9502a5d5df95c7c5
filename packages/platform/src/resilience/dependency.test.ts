import { describe, expect, test } from '@jest/globals';
import { FAILURES_IN_A_ROW, IDLE_MS, PAUSE_MS, PING_LIMIT_MS, QUIET_MS } from './dependency.ts';
import { FakeClock } from './testing/fake-clock.ts';
import { Outage, ScriptedService, Unavailable } from './testing/scripted-service.ts';

/** A whole ping that is missed, and a tick for what has arrived. */
const MISS_MS = PING_LIMIT_MS + 50;

function start() {
  const clock = new FakeClock();
  return { clock, service: new ScriptedService(clock) };
}

async function failInARow(service: ScriptedService, count: number): Promise<void> {
  for (let failure = 0; failure < count; failure++) {
    const request = await service.request();
    await request.fail(new Outage());
  }
}

describe('failures in a row', () => {
  test('open the circuit: nobody is let through, and a ping closes it again', async () => {
    const { clock, service } = start();
    service.mood = 'refuses';
    await failInARow(service, FAILURES_IN_A_ROW);
    expect(service.dependency.status()).toEqual({ name: 'scripted', state: 'failing' });
    const before = service.operations;
    const refused = await service.request();
    expect(refused.outcome()).toEqual({ error: expect.any(Unavailable) });
    expect(refused.outcome()).toMatchObject({ error: { cause: expect.any(Outage) } });
    expect(service.operations).toBe(before);

    await clock.pass(60_000);
    expect(service.dependency.status().state).toBe('failing');
    service.mood = 'works';
    await clock.pass(PAUSE_MS);
    expect(service.states).toEqual(['available', 'failing', 'available']);
    const request = await service.request();
    await request.answer('pong');
    expect(request.outcome()).toEqual({ value: 'pong' });
  });

  test('are not in a row with an answer between them, be it a refusal', async () => {
    const { service } = start();
    for (let round = 0; round < 3; round++) {
      await failInARow(service, FAILURES_IN_A_ROW - 1);
      const request = await service.request();
      const refusal = new Error('no such key');
      await request.fail(refusal);
      expect(request.outcome()).toEqual({ error: refusal });
    }
    expect(service.states).toEqual(['available']);
  });

  test('are said to their callers as they are', async () => {
    const { service } = start();
    const request = await service.request();
    const outage = new Outage();
    await request.fail(outage);
    expect(request.outcome()).toEqual({ error: outage });
  });

  test('let what is under way go on while the service answers', async () => {
    const { clock, service } = start();
    const long = await service.request();
    await failInARow(service, FAILURES_IN_A_ROW);
    expect(service.dependency.status().state).toBe('failing');
    await clock.pass(PAUSE_MS);
    expect(service.dependency.status().state).toBe('available');
    await long.answer('late');
    expect(long.outcome()).toEqual({ value: 'late' });
  });
});

describe('a service that hangs', () => {
  test('is found out, and everybody who waits is told at once', async () => {
    const { clock, service } = start();
    await clock.pass(3_000);
    service.mood = 'hangs';
    const waiting = [await service.request(), await service.request()];
    await clock.pass(QUIET_MS + MISS_MS - 1);
    expect(waiting.map((request) => request.outcome())).toEqual([null, null]);
    await clock.pass(1);
    for (const request of waiting) {
      expect(request.outcome()).toMatchObject({ error: { cause: { code: 'HANGS' } } });
      expect(request.outcome()).toEqual({ error: expect.any(Unavailable) });
      expect(request.abortReason()).toBeInstanceOf(Unavailable);
    }
    expect(QUIET_MS + MISS_MS).toBeLessThan(2_000);
    expect(service.states).toEqual(['available', 'hanging']);
    const later = await service.request();
    expect(later.outcome()).toEqual({ error: expect.any(Unavailable) });

    await clock.pass(60_000);
    expect(service.states).toEqual(['available', 'hanging']);
    service.mood = 'works';
    await clock.pass(MISS_MS + PAUSE_MS);
    expect(service.states).toEqual(['available', 'hanging', 'available']);
    expect(service.log).toEqual([
      { dependency: 'scripted', state: 'hanging', code: 'HANGS' },
      { dependency: 'scripted', seconds: expect.any(Number) },
    ]);
  });

  test('is not one that answers others, or pings, while a request takes long', async () => {
    const { clock, service } = start();
    const long = await service.request();
    await clock.pass(60_000);
    service.mood = 'hangs';
    for (let other = 0; other < 60; other++) {
      const request = await service.request();
      await clock.pass(1_000);
      await request.answer('pong');
    }
    service.mood = 'works';
    await clock.pass(60_000);
    expect(service.states).toEqual(['available']);
    await long.answer('at last');
    expect(long.outcome()).toEqual({ value: 'at last' });
  });

  test('after its last answer has the same time, whatever was pinged before', async () => {
    const { clock, service } = start();
    await service.request();
    const other = await service.request();
    service.mood = 'hangs';
    await clock.pass(QUIET_MS + 900);
    await other.answer('pong');
    await clock.pass(QUIET_MS + MISS_MS - 1);
    expect(service.states).toEqual(['available']);
    await clock.pass(1);
    expect(service.states).toEqual(['available', 'hanging']);
  });

  test('is noticed when nobody wants anything of it, too', async () => {
    const { clock, service } = start();
    service.mood = 'hangs';
    await clock.pass(IDLE_MS + MISS_MS);
    expect(service.states).toEqual(['available', 'hanging']);
  });

  test('is looked at twice where this process had little time', async () => {
    const { clock, service } = start();
    service.mood = 'hangs';
    const request = await service.request();
    await clock.pass(QUIET_MS);
    await clock.stall(5_000);
    await clock.pass(MISS_MS);
    expect(service.states).toEqual(['available']);
    expect(request.outcome()).toBeNull();
    await clock.pass(MISS_MS);
    expect(service.states).toEqual(['available', 'hanging']);
  });

  test('is none if only this process stood still', async () => {
    const { clock, service } = start();
    const request = await service.request();
    for (let stall = 0; stall < 20; stall++) {
      await clock.stall(30_000);
      await clock.pass(100);
    }
    expect(service.states).toEqual(['available']);
    await request.answer('pong');
    expect(request.outcome()).toEqual({ value: 'pong' });
  });
});

describe('a caller who leaves', () => {
  test('is told its own reason, and says nothing about the service', async () => {
    const { service } = start();
    for (let round = 0; round < 2 * FAILURES_IN_A_ROW; round++) {
      const controller = new AbortController();
      const reason = new Error('the caller left');
      const request = await service.request(controller.signal);
      controller.abort(reason);
      await request.fail(new Outage());
      expect(request.abortReason()).toBe(reason);
      expect(request.outcome()).toEqual({ error: reason });
    }
    expect(service.states).toEqual(['available']);
  });

  test('before anything was asked asks nothing', async () => {
    const { service } = start();
    const reason = new Error('the caller left');
    const request = await service.request(AbortSignal.abort(reason));
    expect(request.outcome()).toEqual({ error: reason });
    expect(service.operations).toBe(0);
  });
});

describe('connections that fail', () => {
  test('end what hangs beside them', async () => {
    const { clock, service } = start();
    const request = await service.request();
    service.mood = 'refuses';
    await clock.pass(QUIET_MS + 100);
    expect(request.outcome()).toEqual({ error: expect.any(Unavailable) });
    expect(service.states).toEqual(['available', 'failing']);
  });

  test('are tried twice: one may just have been closed', async () => {
    const { clock, service } = start();
    await service.request();
    service.mood = 'refuses';
    await clock.pass(QUIET_MS);
    service.mood = 'works';
    await clock.pass(10_000);
    expect(service.states).toEqual(['available']);
  });
});

describe('whoever is going to need a service', () => {
  const answered = { value: undefined };
  const away = { error: expect.any(Unavailable) };

  test('is told at once while it is known not to answer, and nothing is asked', async () => {
    const { service } = start();
    await failInARow(service, FAILURES_IN_A_ROW);
    const { pings } = service;
    const question = await service.requireAnswer();
    expect(question.outcome()).toEqual(away);
    expect(question.outcome()).toMatchObject({ error: { cause: expect.any(Outage) } });
    expect(service.pings).toBe(pings);
  });

  test('needs no ping where an answer came a moment ago, be it a refusal', async () => {
    const { clock, service } = start();
    for (const settle of ['answer', 'fail'] as const) {
      const request = await service.request();
      await request[settle](new Error('no such key'));
      await clock.pass(QUIET_MS - 1);
      expect((await service.requireAnswer()).outcome()).toEqual(answered);
    }
    expect(service.pings).toBe(0);
  });

  test('causes a ping where it is longer ago, whose answer counts for a moment too', async () => {
    const { clock, service } = start();
    expect((await service.requireAnswer()).outcome()).toEqual(answered);
    await clock.pass(QUIET_MS - 1);
    expect((await service.requireAnswer()).outcome()).toEqual(answered);
    expect(service.pings).toBe(1);
    await clock.pass(1);
    expect((await service.requireAnswer()).outcome()).toEqual(answered);
    expect(service.pings).toBe(2);
  });

  test('causes a ping where something has failed since', async () => {
    const { service } = start();
    await (await service.request()).answer('pong');
    await failInARow(service, 1);
    expect((await service.requireAnswer()).outcome()).toEqual(answered);
    expect(service.pings).toBe(1);
  });

  test('waits for the same ping as all others, and hears that the service hangs', async () => {
    const { clock, service } = start();
    service.mood = 'hangs';
    const questions = [await service.requireAnswer()];
    await clock.pass(PING_LIMIT_MS / 2);
    questions.push(await service.requireAnswer(), await service.requireAnswer());
    expect(service.pings).toBe(1);
    await clock.pass(MISS_MS - PING_LIMIT_MS / 2 - 1);
    expect(questions.map((question) => question.outcome())).toEqual([null, null, null]);
    await clock.pass(1);
    expect(questions.map((question) => question.outcome())).toEqual([away, away, away]);
    expect(service.states).toEqual(['available', 'hanging']);
  });

  test('hears within two pings that connections fail', async () => {
    const { clock, service } = start();
    service.mood = 'refuses';
    const question = await service.requireAnswer();
    expect(question.outcome()).toBeNull();
    await clock.pass(QUIET_MS);
    expect(question.outcome()).toEqual(away);
    expect(service.pings).toBe(2);
    expect(service.states).toEqual(['available', 'failing']);
  });

  test('hears of the second ping where the first one may have misled', async () => {
    const { clock, service } = start();
    service.mood = 'refuses';
    const question = await service.requireAnswer();
    service.mood = 'works';
    const later = await service.requireAnswer();
    expect(service.pings).toBe(1);
    await clock.pass(QUIET_MS);
    expect([question, later].map((each) => each.outcome())).toEqual([answered, answered]);
    expect(service.states).toEqual(['available']);
  });

  test('is content with what others are answered meanwhile', async () => {
    const { service } = start();
    const request = await service.request();
    service.mood = 'hangs';
    const question = await service.requireAnswer();
    await request.answer('pong');
    expect(question.outcome()).toEqual(answered);
  });

  test('hears of failures of others that open the circuit meanwhile', async () => {
    const { service } = start();
    service.mood = 'hangs';
    const question = await service.requireAnswer();
    await failInARow(service, FAILURES_IN_A_ROW);
    expect(question.outcome()).toEqual(away);
  });

  test('may leave, with its own reason, and the others wait on', async () => {
    const { clock, service } = start();
    service.mood = 'hangs';
    const controller = new AbortController();
    const reason = new Error('the caller left');
    const leaving = await service.requireAnswer(controller.signal);
    const other = await service.requireAnswer();
    controller.abort(reason);
    await clock.pass(0);
    expect(leaving.outcome()).toEqual({ error: reason });
    expect(other.outcome()).toBeNull();
    const late = await service.requireAnswer(controller.signal);
    expect(late.outcome()).toEqual({ error: reason });
    await clock.pass(MISS_MS);
    expect(other.outcome()).toEqual(away);
  });

  test('is not kept waiting by a dependency that is disposed of', async () => {
    const { service } = start();
    service.mood = 'hangs';
    const question = await service.requireAnswer();
    service.dependency[Symbol.dispose]();
    expect((await service.requireAnswer()).outcome()).toEqual(away);
    expect(question.outcome()).toEqual(away);
    expect(service.pings).toBe(1);
  });
});

test('a dependency that is disposed of asks nothing more', async () => {
  const { clock, service } = start();
  service.mood = 'hangs';
  await clock.pass(IDLE_MS + 10);
  service.dependency[Symbol.dispose]();
  const { pings } = service;
  await clock.pass(10 * IDLE_MS);
  expect(service.pings).toBe(pings);
  expect(service.states).toEqual(['available']);
});
