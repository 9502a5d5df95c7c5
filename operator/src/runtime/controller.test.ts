import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { FakeClock } from '@sightline/platform/resilience/testing/fake-clock';
import { Controller, type ControllerOptions } from './controller.ts';

let clock: FakeClock;
let stop: AbortController;
let observed: string[];
let waited: number[];
beforeEach(() => {
  [clock, stop, observed, waited] = [new FakeClock(), new AbortController(), [], []];
});

function run(reconcile: ControllerOptions['reconcile'], workers = 1) {
  const observer = {
    added: () => void observed.push('added'),
    taken: (seconds: number) => void waited.push(seconds),
    reconciled: (result: string) => void observed.push(result),
    retried: () => void observed.push('retried'),
  };
  const failed = (error: unknown, key: string): void => {
    observed.push(`${key}: ${(error as Error).message}`);
  };
  const controller = new Controller({ clock, workers, reconcile, observer, failed });
  const ended = controller.run(stop.signal).catch((error: unknown) => error);
  return { controller, ended };
}

test('an object is reconciled again after the requested time', async () => {
  const seen: string[] = [];
  const { controller, ended } = run((key) => {
    seen.push(key);
    return Promise.resolve(seen.length === 1 ? 1000 : null);
  });
  controller.add('a');
  await clock.pass(999);
  expect(seen).toEqual(['a']);
  await clock.pass(60_000);
  expect(seen).toEqual(['a', 'a']);
  expect(observed).toEqual(['added', 'requeue_after', 'success']);
  stop.abort(new Error('over'));
  expect(await ended).toBe(stop.signal.reason);
});

test('a failed reconciliation is reported and retried', async () => {
  let tries = 0;
  const { controller } = run(() => {
    tries += 1;
    return tries === 1 ? Promise.reject(new Error('no')) : Promise.resolve(null);
  });
  controller.add('a');
  await clock.pass(1000);
  expect(observed).toEqual(['added', 'error', 'a: no', 'retried', 'success']);
  stop.abort();
});

test('a slow reconciliation does not delay other objects', async () => {
  const slow = Promise.withResolvers<null>();
  const done: string[] = [];
  const { controller } = run(async (key) => {
    if (key === 'slow') await slow.promise;
    done.push(key);
    return null;
  }, 2);
  for (const key of ['slow', 'a', 'b']) controller.add(key);
  await clock.pass(0);
  expect(done).toEqual(['a', 'b']);
  expect(controller.load.depth).toBe(0);
  slow.resolve(null);
  await turn();
  expect(done).toContain('slow');
  stop.abort();
});

test('waiting and working times are reported', async () => {
  const slow = Promise.withResolvers<null>();
  const { controller } = run(() => slow.promise);
  controller.add('a');
  await clock.pass(0);
  controller.add('b');
  await clock.pass(1_500);
  expect(controller.load).toEqual({ depth: 1, unfinished: [1.5] });
  slow.resolve(null);
  await clock.pass(0);
  expect(waited).toEqual([0, 1.5]);
  expect(controller.load).toEqual({ depth: 0, unfinished: [] });
  stop.abort();
});
