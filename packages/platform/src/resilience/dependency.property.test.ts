import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FAILURES_IN_A_ROW, PAUSE_MS, PING_LIMIT_MS, QUIET_MS } from './dependency.ts';
import { FakeClock } from './testing/fake-clock.ts';
import {
  Outage,
  type ScriptedRequest,
  ScriptedService,
  Unavailable,
} from './testing/scripted-service.ts';

/** Whatever the clock counts in between: two whole pings with the pauses around them. */
const SETTLED_MS = QUIET_MS + PAUSE_MS + 2 * (PING_LIMIT_MS + 150);

type Settlement = 'answer' | 'refuse' | 'fail' | 'abort';

type Step =
  | { readonly do: 'request' }
  | { readonly do: Settlement; readonly which: number }
  | { readonly do: 'pass' | 'stall'; readonly ms: number }
  | { readonly do: 'mood'; readonly mood: 'works' | 'refuses' | 'hangs' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('request') }),
  fc.record({
    do: fc.constantFrom('answer', 'refuse', 'fail', 'abort'),
    which: fc.nat(9),
  }),
  fc.record({ do: fc.constantFrom('pass', 'stall'), ms: fc.nat(2_500) }),
  fc.record({ do: fc.constant('mood'), mood: fc.constantFrom('works', 'refuses', 'hangs') }),
);

interface Caller {
  readonly request: ScriptedRequest;
  readonly controller: AbortController;
  readonly reason: Error;
}

class Story {
  readonly clock = new FakeClock();
  readonly service = new ScriptedService(this.clock);
  readonly callers: Caller[] = [];

  get waiting(): Caller[] {
    return this.callers.filter(({ request }) => request.outcome() === null);
  }

  async take(next: Step): Promise<void> {
    if (next.do === 'mood') this.service.mood = next.mood;
    else if (next.do === 'pass') await this.clock.pass(next.ms);
    else if (next.do === 'stall') await this.clock.stall(next.ms);
    else if ('which' in next) await this.#settle(next.do, next.which);
    else await this.#request();
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
      const { service, clock, waiting } = await told([...steps, { do: 'mood', mood: 'hangs' }]);
      if (waiting.length === 0) return;
      await clock.pass(SETTLED_MS);
      for (const { request } of waiting) {
        expect(request.outcome()).toEqual({ error: expect.any(Unavailable) });
      }
      expect(service.dependency.status().state).not.toBe('available');
    }),
  );
});

test('a service that works is let work again, whatever came before', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (steps) => {
      const { service, clock } = await told([...steps, { do: 'mood', mood: 'works' }]);
      await clock.pass(SETTLED_MS);
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
      const { service, clock, waiting } = await told(kind);
      await clock.pass(120_000);
      expect(service.states).toEqual(['available']);
      expect(waiting.every(({ request }) => request.outcome() === null)).toBe(true);
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
