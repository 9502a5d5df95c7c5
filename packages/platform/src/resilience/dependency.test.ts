import { describe, expect, test } from '@jest/globals';
import {
  FAILURE_THRESHOLD,
  IDLE_MS,
  OPEN_PAUSE_MS,
  PING_LIMIT_MS,
  QUIET_MS,
} from './dependency.ts';
import { FakeClock } from './testing/fake-clock.ts';
import { Outage, ScriptedService, Unavailable } from './testing/scripted-service.ts';

/** The duration of an unanswered ping in ms, including the last tick, in which the process reads its sockets. */
const MISS_MS = PING_LIMIT_MS + 50;

function start() {
  const clock = new FakeClock();
  return { clock, service: new ScriptedService(clock) };
}

async function failRequests(service: ScriptedService, count: number): Promise<void> {
  for (let failure = 0; failure < count; failure++) {
    const request = await service.request();
    await request.fail(new Outage());
  }
}

describe('consecutive failures', () => {
  test('open the circuit: no request is sent, and a ping closes it again', async () => {
    const { clock, service } = start();
    service.mood = 'refuses';
    await failRequests(service, FAILURE_THRESHOLD);
    expect(service.dependency.status()).toEqual({ name: 'scripted', state: 'failing' });
    const before = service.operations;
    const refused = await service.request();
    expect(refused.outcome()).toEqual({ error: expect.any(Unavailable) });
    expect(refused.outcome()).toMatchObject({ error: { cause: expect.any(Outage) } });
    expect(service.operations).toBe(before);

    await clock.pass(60_000);
    expect(service.dependency.status().state).toBe('failing');
    service.mood = 'works';
    await clock.pass(OPEN_PAUSE_MS);
    expect(service.states).toEqual(['available', 'failing', 'available']);
    const request = await service.request();
    await request.answer('pong');
    expect(request.outcome()).toEqual({ value: 'pong' });
  });

  test('are counted from zero after an answer, even a refusal', async () => {
    const { service } = start();
    for (let round = 0; round < 3; round++) {
      await failRequests(service, FAILURE_THRESHOLD - 1);
      const request = await service.request();
      const refusal = new Error('no such key');
      await request.fail(refusal);
      expect(request.outcome()).toEqual({ error: refusal });
    }
    expect(service.states).toEqual(['available']);
  });

  test('reach their callers unchanged', async () => {
    const { service } = start();
    const request = await service.request();
    const outage = new Outage();
    await request.fail(outage);
    expect(request.outcome()).toEqual({ error: outage });
  });

  test('do not end other requests while the service answers pings', async () => {
    const { clock, service } = start();
    const long = await service.request();
    await failRequests(service, FAILURE_THRESHOLD);
    expect(service.dependency.status().state).toBe('failing');
    await clock.pass(OPEN_PAUSE_MS);
    expect(service.dependency.status().state).toBe('available');
    await long.answer('late');
    expect(long.outcome()).toEqual({ value: 'late' });
  });
});

describe('a service that hangs', () => {
  test('fails every request in flight as soon as a ping is not answered', async () => {
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
    await clock.pass(MISS_MS + OPEN_PAUSE_MS);
    expect(service.states).toEqual(['available', 'hanging', 'available']);
    expect(service.log).toEqual([
      { dependency: 'scripted', state: 'hanging', code: 'HANGS' },
      { dependency: 'scripted', seconds: expect.any(Number) },
    ]);
  });

  test('is not assumed while one request takes long and others, or pings, are answered', async () => {
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

  test('has the same time after its last answer, even if a ping was in flight', async () => {
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

  test('is noticed while no request is in flight', async () => {
    const { clock, service } = start();
    service.mood = 'hangs';
    await clock.pass(IDLE_MS + MISS_MS);
    expect(service.states).toEqual(['available', 'hanging']);
  });

  test('is pinged twice if this process was short of CPU', async () => {
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

  test('is not assumed if only this process was blocked', async () => {
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

describe('a caller that aborts', () => {
  test('gets its own reason, and does not count as a failure', async () => {
    const { service } = start();
    for (let round = 0; round < 2 * FAILURE_THRESHOLD; round++) {
      const controller = new AbortController();
      const reason = new Error('the caller aborted');
      const request = await service.request(controller.signal);
      controller.abort(reason);
      await request.fail(new Outage());
      expect(request.abortReason()).toBe(reason);
      expect(request.outcome()).toEqual({ error: reason });
    }
    expect(service.states).toEqual(['available']);
  });

  test('before the call sends no request', async () => {
    const { service } = start();
    const reason = new Error('the caller aborted');
    const request = await service.request(AbortSignal.abort(reason));
    expect(request.outcome()).toEqual({ error: reason });
    expect(service.operations).toBe(0);
  });
});

describe('pings that fail at once', () => {
  test('fail the requests that hang during the pings', async () => {
    const { clock, service } = start();
    const request = await service.request();
    service.mood = 'refuses';
    await clock.pass(QUIET_MS + 100);
    expect(request.outcome()).toEqual({ error: expect.any(Unavailable) });
    expect(service.states).toEqual(['available', 'failing']);
  });

  test('are repeated once, because the service may just have closed the connection', async () => {
    const { clock, service } = start();
    await service.request();
    service.mood = 'refuses';
    await clock.pass(QUIET_MS);
    service.mood = 'works';
    await clock.pass(10_000);
    expect(service.states).toEqual(['available']);
  });
});

describe('a caller of requireAnswer', () => {
  const answered = { value: undefined };
  const down = { error: expect.any(Unavailable) };

  test('gets the error at once while the circuit is open, without a ping', async () => {
    const { service } = start();
    await failRequests(service, FAILURE_THRESHOLD);
    const { pings } = service;
    const question = await service.requireAnswer();
    expect(question.outcome()).toEqual(down);
    expect(question.outcome()).toMatchObject({ error: { cause: expect.any(Outage) } });
    expect(service.pings).toBe(pings);
  });

  test('needs no ping after a recent answer, even a refusal', async () => {
    const { clock, service } = start();
    for (const settle of ['answer', 'fail'] as const) {
      const request = await service.request();
      await request[settle](new Error('no such key'));
      await clock.pass(QUIET_MS - 1);
      expect((await service.requireAnswer()).outcome()).toEqual(answered);
    }
    expect(service.pings).toBe(0);
  });

  test('causes a ping after a longer silence, and the answer then counts as recent', async () => {
    const { clock, service } = start();
    expect((await service.requireAnswer()).outcome()).toEqual(answered);
    await clock.pass(QUIET_MS - 1);
    expect((await service.requireAnswer()).outcome()).toEqual(answered);
    expect(service.pings).toBe(1);
    await clock.pass(1);
    expect((await service.requireAnswer()).outcome()).toEqual(answered);
    expect(service.pings).toBe(2);
  });

  test('causes a ping if a request has failed since the last answer', async () => {
    const { service } = start();
    await (await service.request()).answer('pong');
    await failRequests(service, 1);
    expect((await service.requireAnswer()).outcome()).toEqual(answered);
    expect(service.pings).toBe(1);
  });

  test('shares a ping with other callers, and gets the error if the service hangs', async () => {
    const { clock, service } = start();
    service.mood = 'hangs';
    const questions = [await service.requireAnswer()];
    await clock.pass(PING_LIMIT_MS / 2);
    questions.push(await service.requireAnswer(), await service.requireAnswer());
    expect(service.pings).toBe(1);
    await clock.pass(MISS_MS - PING_LIMIT_MS / 2 - 1);
    expect(questions.map((question) => question.outcome())).toEqual([null, null, null]);
    await clock.pass(1);
    expect(questions.map((question) => question.outcome())).toEqual([down, down, down]);
    expect(service.states).toEqual(['available', 'hanging']);
  });

  test('gets the error after two failed pings', async () => {
    const { clock, service } = start();
    service.mood = 'refuses';
    const question = await service.requireAnswer();
    expect(question.outcome()).toBeNull();
    await clock.pass(QUIET_MS);
    expect(question.outcome()).toEqual(down);
    expect(service.pings).toBe(2);
    expect(service.states).toEqual(['available', 'failing']);
  });

  test('gets the result of the second ping if the first one failed at once', async () => {
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

  test('returns when a request of another caller is answered', async () => {
    const { service } = start();
    const request = await service.request();
    service.mood = 'hangs';
    const question = await service.requireAnswer();
    await request.answer('pong');
    expect(question.outcome()).toEqual(answered);
  });

  test('gets the error when failures of other callers open the circuit', async () => {
    const { service } = start();
    service.mood = 'hangs';
    const question = await service.requireAnswer();
    await failRequests(service, FAILURE_THRESHOLD);
    expect(question.outcome()).toEqual(down);
  });

  test('may abort with its own reason while other callers wait', async () => {
    const { clock, service } = start();
    service.mood = 'hangs';
    const controller = new AbortController();
    const reason = new Error('the caller aborted');
    const aborting = await service.requireAnswer(controller.signal);
    const other = await service.requireAnswer();
    controller.abort(reason);
    await clock.pass(0);
    expect(aborting.outcome()).toEqual({ error: reason });
    expect(other.outcome()).toBeNull();
    const late = await service.requireAnswer(controller.signal);
    expect(late.outcome()).toEqual({ error: reason });
    await clock.pass(MISS_MS);
    expect(other.outcome()).toEqual(down);
  });

  test('gets the error when the dependency is disposed of', async () => {
    const { service } = start();
    service.mood = 'hangs';
    const question = await service.requireAnswer();
    service.dependency[Symbol.dispose]();
    expect((await service.requireAnswer()).outcome()).toEqual(down);
    expect(question.outcome()).toEqual(down);
    expect(service.pings).toBe(1);
  });
});

test('a dependency that is disposed of sends no more pings', async () => {
  const { clock, service } = start();
  service.mood = 'hangs';
  await clock.pass(IDLE_MS + 10);
  service.dependency[Symbol.dispose]();
  const { pings } = service;
  await clock.pass(10 * IDLE_MS);
  expect(service.pings).toBe(pings);
  expect(service.states).toEqual(['available']);
});
