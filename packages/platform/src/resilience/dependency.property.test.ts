import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FAILURES_IN_A_ROW, PAUSE_MS, PING_LIMIT_MS, QUIET_MS } from './dependency.ts';
import { FakeClock } from './testing/fake-clock.ts';
import {
  Outage,
  type ScriptedQuestion,
  type ScriptedRequest,
  ScriptedService,
  Unavailable,
} from './testing/scripted-service.ts';

/** Whatever the clock counts in between: two whole pings with the pauses around them. */
const SETTLED_MS = QUIET_MS + PAUSE_MS + 2 * (PING_LIMIT_MS + 150);

type Settlement = 'answer' | 'refuse' | 'fail' | 'abort';

type Step =
  | { readonly do: 'request' | 'ask' }
  | { readonly do: 'leave'; readonly which: number }
  | { readonly do: Settlement; readonly which: number }
  | { readonly do: 'pass' | 'stall'; readonly ms: number }
  | { readonly do: 'mood'; readonly mood: 'works' | 'refuses' | 'hangs' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('request', 'ask') }),
  fc.record({ do: fc.constant('leave'), which: fc.nat(9) }),
  fc.record({
    do: fc.constantFrom('answer', 'refuse', 'fail', 'abort'),
    which: fc.nat(9),
  }),
  fc.record({ do: fc.constantFrom('pass', 'stall'), ms: fc.nat(2_500) }),
  fc.record({ do: fc.constant('mood'), mood: fc.constantFrom('works', 'refuses', 'hangs') }),
);

interface Caller<Wish = ScriptedRequest> {
  readonly request: Wish;
  readonly controller: AbortController;
  readonly reason: Error;
}

class Story {
  readonly clock = new FakeClock();
  readonly service = new ScriptedService(this.clock);
  readonly callers: Caller[] = [];
  /** Who only want to know whether the service answers. */
  readonly askers: Caller<ScriptedQuestion>[] = [];

  get waiting(): Caller[] {
    return this.callers.filter(({ request }) => request.outcome() === null);
  }

  get wondering(): Caller<ScriptedQuestion>[] {
    return this.askers.filter(({ request }) => request.outcome() === null);
  }

  async take(next: Step): Promise<void> {
    if (next.do === 'mood') this.service.mood = next.mood;
    else if (next.do === 'pass') await this.clock.pass(next.ms);
    else if (next.do === 'stall') await this.clock.stall(next.ms);
    else if (next.do === 'leave') await this.#leave(next.which);
    else if ('which' in next) await this.#settle(next.do, next.which);
    else if (next.do === 'ask') await this.#ask();
    else await this.#request();
  }

  async #ask(): Promise<void> {
    const controller = new AbortController();
    const { pings } = this.service;
    const isOpen = this.service.dependency.status().state !== 'available';
    const request = await this.service.requireAnswer(controller.signal);
    this.askers.push({ request, controller, reason: new Error('the caller left') });
    if (!isOpen) return;
    expect(request.outcome()).toEqual({ error: expect.any(Unavailable) });
    expect(this.service.pings).toBe(pings);
  }

  async #leave(which: number): Promise<void> {
    const asker = this.wondering.at(which % Math.max(1, this.wondering.length));
    if (asker === undefined) return;
    asker.controller.abort(asker.reason);
    await this.clock.pass(0);
    expect(asker.request.outcome()).toEqual({ error: asker.reason });
  }

  async #request(): Promise<void> {
    const controller = new AbortController();
    const { operations } = this.service;
    const isOpen = this.service.dependency.status().state !== 'available';
    const request = await this.service.request(controller.signal);
    this.callers.push({ request, controller, reason: new Error('the caller left') });
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

async function told(steps: readonly Step[]): Promise<Story> {
  const story = new Story();
  for (const next of steps) await story.take(next);
  return story;
}

const story = fc.array(step, { maxLength: 40 });

test('nobody waits for a service that hangs, and nobody is let through to it', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      const { service, clock, waiting, wondering } = await told([
        ...steps,
        { do: 'mood', mood: 'hangs' },
      ]);
      const everybody = [...waiting, ...wondering];
      if (everybody.length === 0) return;
      await clock.pass(SETTLED_MS);
      for (const { request } of everybody) {
        expect(request.outcome()).toEqual({ error: expect.any(Unavailable) });
      }
      expect(service.dependency.status().state).not.toBe('available');
    }),
  );
});

test('a service that works is let work again, whatever came before', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      const { service, clock, askers } = await told([...steps, { do: 'mood', mood: 'works' }]);
      await clock.pass(SETTLED_MS);
      for (const { request } of askers) expect(request.outcome()).not.toBeNull();
      expect((await service.requireAnswer()).outcome()).toEqual({ value: undefined });
      expect(service.dependency.status().state).toBe('available');
      const request = await service.request();
      await request.answer('pong');
      expect(request.outcome()).toEqual({ value: 'pong' });
    }),
  );
});

test('a service that always answers is never taken for one that is down', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      let failures = 0;
      const kind = steps.filter((next) => {
        if (next.do === 'fail') failures += 1;
        return next.do !== 'mood' && (next.do !== 'fail' || failures < FAILURES_IN_A_ROW);
      });
      const { service, clock, waiting, askers } = await told(kind);
      await clock.pass(120_000);
      expect(service.states).toEqual(['available']);
      for (const { request, reason } of askers) {
        expect([{ value: undefined }, { error: reason }]).toContainEqual(request.outcome());
      }
      expect(waiting.every(({ request }) => request.outcome() === null)).toBe(true);
    }),
  );
});

test('one ping is under way at most, however many ask', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      expect((await told(steps)).service.mostPingsAtOnce).toBeLessThanOrEqual(1);
    }),
  );
});

test('every change is told once, and is one', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      const { states } = (await told(steps)).service;
      states.forEach((state, at) => {
        if (at > 0) expect(states[at - 1] === 'available').toBe(state !== 'available');
      });
    }),
  );
});
