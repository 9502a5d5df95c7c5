import { beforeEach, expect, test } from '@jest/globals';
import type { Role } from './role.ts';
import { runRoles } from './run-roles.ts';

let events: string[];

beforeEach(() => {
  events = [];
});

function role(name: string, start: () => Promise<void> = () => Promise.resolve()): Role {
  return {
    name,
    start: () => {
      events.push(`start ${name}`);
      return start();
    },
    ready: () => Promise.resolve(true),
    [Symbol.asyncDispose]: () => {
      events.push(`stop ${name}`);
      return Promise.resolve();
    },
  };
}

test('roles start in order and stop in reverse', async () => {
  const stop = new AbortController();
  const started = Promise.withResolvers<undefined>();
  const last = role('b', () => {
    started.resolve(undefined);
    return Promise.resolve();
  });
  const running = runRoles([role('a'), last], stop.signal);
  await started.promise;
  expect(events).toEqual(['start a', 'start b']);
  stop.abort();
  await running;
  expect(events).toEqual(['start a', 'start b', 'stop b', 'stop a']);
});

test('after a start that failed, later roles do not start and earlier ones stop', async () => {
  const broken = role('b', () => Promise.reject(new Error('broken')));
  const running = runRoles([role('a'), broken, role('c')], new AbortController().signal);
  await expect(running).rejects.toThrow('broken');
  expect(events).toEqual(['start a', 'start b', 'stop b', 'stop a']);
});

test('a stop that comes between two starts keeps the second from starting', async () => {
  const stop = new AbortController();
  const first = role('a', () => {
    stop.abort();
    return Promise.resolve();
  });
  await runRoles([first, role('b')], stop.signal);
  expect(events).toEqual(['start a', 'stop a']);
});
