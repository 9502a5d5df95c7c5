import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FAILURE_THRESHOLD, OPEN_PAUSE_MS, PING_LIMIT_MS, QUIET_MS } from './dependency.ts';
import { FakeClock } from './testing/fake-clock.ts';
import {
  Outage,
  type ScriptedQuestion,
  type ScriptedRequest,
  ScriptedService,
  Unavailable,
} from './testing/scripted-service.ts';

/** A time in ms in which two complete pings with their pauses fit. */
const SETTLED_MS = QUIET_MS + OPEN_PAUSE_MS + 2 * (PING_LIMIT_MS + 150);

type Settlement = 'answer' | 'refuse' | 'fail' | 'abort';

type Step =
  | { readonly do: 'request' | 'require-answer' }
  | { readonly do: 'stop-asking'; readonly which: number }
  | { readonly do: Settlement; readonly which: number }
  | { readonly do: 'pass' | 'stall'; readonly ms: number }
  | { readonly do: 'mood'; readonly mood: 'works' | 'refuses' | 'hangs' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('request', 'require-answer') }),
  fc.record({ do: fc.constant('stop-asking'), which: fc.nat(9) }),
  fc.record({
    do: fc.constantFrom('answer', 'refuse', 'fail', 'abort'),
    which: fc.nat(9),
  }),
  fc.record({ do: fc.constantFrom('pass', 'stall'), ms: fc.nat(2_500) }),
  fc.record({ do: fc.constant('mood'), mood: fc.constantFrom('works', 'refuses', 'hangs') }),
);

interface Caller<Call = ScriptedRequest> {
  readonly request: Call;
  readonly controller: AbortController;
  readonly reason: Error;
}

class Scenario {
  readonly clock = new FakeClock();
  readonly service = new ScriptedService(this.clock);
  readonly callers: Caller[] = [];
  readonly checkers: Caller<ScriptedQuestion>[] = [];

  get waiting(): Caller[] {
    return this.callers.filter(({ request }) => request.outcome() === null);
  }

  get waitingCheckers(): Caller<ScriptedQuestion>[] {
    return this.checkers.filter(({ request }) => request.outcome() === null);
  }

  async take(next: Step): Promise<void> {
    if (next.do === 'mood') this.service.mood = next.mood;
    else if (next.do === 'pass') await this.clock.pass(next.ms);
    else if (next.do === 'stall') await this.clock.stall(next.ms);
    else if (next.do === 'stop-asking') await this.#abortCaller(next.which);
    else if ('which' in next) await this.#settle(next.do, next.which);
    else if (next.do === 'require-answer') await this.#requireAnswer();
    else await this.#request();
  }

  async #requireAnswer(): Promise<void> {
    const controller = new AbortController();
    const { pings } = this.service;
    const isOpen = this.service.dependency.status().state !== 'available';
    const request = await this.service.requireAnswer(controller.signal);
    this.checkers.push({ request, controller, reason: new Error('the caller aborted') });
    if (!isOpen) return;
    expect(request.outcome()).toEqual({ error: expect.any(Unavailable) });
    expect(this.service.pings).toBe(pings);
  }

  async #abortCaller(which: number): Promise<void> {
    const checker = this.waitingCheckers.at(which % Math.max(1, this.waitingCheckers.length));
    if (checker === undefined) return;
    checker.controller.abort(checker.reason);
    await this.clock.pass(0);
    expect(checker.request.outcome()).toEqual({ error: checker.reason });
  }

  async #request(): Promise<void> {
    const controller = new AbortController();
    const { operations } = this.service;
    const isOpen = this.service.dependency.status().state !== 'available';
    const request = await this.service.request(controller.signal);
    this.callers.push({ request, controller, reason: new Error('the caller aborted') });
    expect(this.service.operations).toBe(operations + (isOpen ? 0 : 1));
    if (isOpen) expect(request.outcome()).toEqual({ error: expect.any(Unavailable) });
  }

  async #settle(how: Settlement, which: number): Promise<void> {
    const caller = this.waiting.at(which % Math.max(1, this.waiting.length));
    if (caller === undefined) return;
    const { request, controller, reason } = caller;
    if (how === 'abort') controller.abort(reason);
    const error = how === 'refuse' ? new Error('no such key') : new Outage();
    if (how === 'answer') await request.answer('pong');
    else await request.fail(error);
    const expected = how === 'answer' ? { value: 'pong' } : { error };
    expect(request.outcome()).toEqual(how === 'abort' ? { error: reason } : expected);
  }
}

async function run(steps: readonly Step[]): Promise<Scenario> {
  const scenario = new Scenario();
  for (const next of steps) await scenario.take(next);
  return scenario;
}

const anySteps = fc.array(step, { maxLength: 40 });

test('no caller waits for a service that hangs', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const { service, clock, waiting, waitingCheckers } = await run([
        ...steps,
        { do: 'mood', mood: 'hangs' },
      ]);
      const callers = [...waiting, ...waitingCheckers];
      if (callers.length === 0) return;
      await clock.pass(SETTLED_MS);
      for (const { request } of callers) {
        expect(request.outcome()).toEqual({ error: expect.any(Unavailable) });
      }
      expect(service.dependency.status().state).not.toBe('available');
    }),
  );
});

test('the circuit closes again once the service works', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const { service, clock, checkers } = await run([...steps, { do: 'mood', mood: 'works' }]);
      await clock.pass(SETTLED_MS);
      for (const { request } of checkers) expect(request.outcome()).not.toBeNull();
      expect((await service.requireAnswer()).outcome()).toEqual({ value: undefined });
      expect(service.dependency.status().state).toBe('available');
      const request = await service.request();
      await request.answer('pong');
      expect(request.outcome()).toEqual({ value: 'pong' });
    }),
  );
});

test('the circuit stays closed while the service answers pings and fails few requests', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      let failures = 0;
      const kind = steps.filter((next) => {
        if (next.do === 'fail') failures += 1;
        return next.do !== 'mood' && (next.do !== 'fail' || failures < FAILURE_THRESHOLD);
      });
      const { service, clock, waiting, checkers } = await run(kind);
      await clock.pass(120_000);
      expect(service.states).toEqual(['available']);
      for (const { request, reason } of checkers) {
        expect([{ value: undefined }, { error: reason }]).toContainEqual(request.outcome());
      }
      expect(waiting.every(({ request }) => request.outcome() === null)).toBe(true);
    }),
  );
});

test('at most one ping is in flight', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      expect((await run(steps)).service.maxPingsInFlight).toBeLessThanOrEqual(1);
    }),
  );
});

test('every change is reported once', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const { states } = (await run(steps)).service;
      states.forEach((state, at) => {
        if (at > 0) expect(states[at - 1] === 'available').toBe(state !== 'available');
      });
    }),
  );
});
