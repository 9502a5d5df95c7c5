import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { IS_SOAK } from '../support/gates/soak.ts';
import type { BreakableService, Fault, FaultName } from './breakable-service.ts';
import { expectMatched, expectNoMore, expectWhole, readLibrary } from './expect-kept.ts';
import type { FaultFixture, Route } from './fault-fixture.ts';
import { untilHealthSays } from '../support/services/until-health-says.ts';

export interface FaultTable {
  /** The name of the broken service. */
  readonly dependency: string;
  /** Returns the broken service and the service that needs it; tests call it. */
  readonly get: () => { readonly broken: BreakableService; readonly fixture: FaultFixture };
  /** The error code that callers get. */
  readonly code: 'store_unavailable' | 'vectors_unavailable' | 'inference_unavailable';
  readonly faults: Readonly<Partial<Record<FaultName, FaultEffect>>>;
}

export interface FaultEffect {
  /** The routes that are refused during a fault, and those that are answered. */
  readonly refuses: readonly Route[];
  readonly answers: readonly Route[];
  /** Set if no answered route changes the library, which must then be the same after the fault. */
  readonly changesNothing?: true;
  /** The status that health reports during the fault; absent if health does not notice the fault. */
  readonly health?: 'degraded' | 'unavailable';
  /** Why this machine cannot cause the fault. */
  readonly impossible?: string | undefined;
}

const PAUSE_MS = 100;

/**
 * Requests that need a broken service get 503 while it is broken, the others are answered, the service recovers by
 * itself, and nothing that was acknowledged is lost. No request may wait until the fault is over, because the fault
 * ends only after all requests have been answered. Only a soak makes services slow, because callers give those up like
 * hung ones.
 */
export function describeFaults({ dependency, get, code, faults }: FaultTable): void {
  const effects = (Object.entries(faults) as [FaultName, FaultEffect][]).filter(
    ([name]) => IS_SOAK || name !== 'slow',
  );
  describe(dependency, () => {
    for (const [name, effect] of effects) {
      const { impossible } = effect;
      const title = `${name}, gets answers in time, and is recovered from`;
      const run = async (): Promise<void> => {
        const { broken, fixture } = get();
        const before = effect.changesNothing && (await readLibrary(fixture));
        const notes = await during(broken.faults[name]!, () => runFault(fixture, effect, code));
        for (const note of notes) process.stderr.write(`${dependency} ${name}: ${note}\n`);
        if (before !== undefined) expect(await readLibrary(fixture)).toEqual(before);
        await recover(fixture, effect);
      };
      if (impossible === undefined) test(title, run);
      else test.skip(`${title} [skipped: ${impossible}]`, run);
    }
  });
}

/** Ends the fault even if an expectation fails, because other faults follow. */
async function during<T>(fault: Fault, run: () => Promise<T>): Promise<T> {
  await fault.begin();
  try {
    return await run();
  } finally {
    await fault.end();
  }
}

async function runFault(
  fixture: FaultFixture,
  { refuses, answers, health }: FaultEffect,
  code: string,
): Promise<readonly string[]> {
  const times = await Promise.all(refuses.map((route) => expectRefused(route, fixture, code)));
  for (const route of answers) await expectAnswered(route, fixture);
  if (health !== undefined) await untilHealthSays(fixture.service, health);
  return times;
}

async function recover(fixture: FaultFixture, effect: FaultEffect): Promise<void> {
  const begun = performance.now();
  await expectNoMore(fixture);
  for (const route of [...effect.refuses, ...effect.answers]) {
    await untilOk(route.again ?? route, fixture);
  }
  const milliseconds = Math.round(performance.now() - begun);
  process.stderr.write(`all is answered again ${milliseconds} ms later\n`);
  await expectMatched(fixture);
  await expectWhole(fixture);
}

async function expectRefused(route: Route, fixture: FaultFixture, code: string): Promise<string> {
  const begun = performance.now();
  const response = await route.ask(fixture);
  const milliseconds = Math.round(performance.now() - begun);
  const summary = `${route.name}: ${response.status} after ${milliseconds} ms`;
  expect({ summary, status: response.status }).toEqual({ summary, status: 503 });
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  expect({ summary, problem: await response.json() }).toMatchObject({ summary, problem: { code } });
  return summary;
}

async function expectAnswered(route: Route, fixture: FaultFixture): Promise<void> {
  const response = await route.ask(fixture);
  const body = response.ok ? '' : await response.text();
  const { name } = route;
  expect({ name, ok: response.ok, body }).toMatchObject({ name, ok: true });
}

/** Retries on 503, as clients do that heed Retry-After. */
export async function untilOk(route: Route, fixture: FaultFixture): Promise<Response> {
  for (;;) {
    const response = await route.ask(fixture);
    if (response.ok) return response;
    const { name } = route;
    const text = await response.text();
    expect({ name, text, status: response.status }).toMatchObject({ name, status: 503 });
    await sleep(PAUSE_MS);
  }
}
