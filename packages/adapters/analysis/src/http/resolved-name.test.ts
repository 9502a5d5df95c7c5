import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { type LookUp, ResolvedName } from './resolved-name.ts';

const url = new URL('http://inference:8080');
let name: ResolvedName | undefined;

afterEach(() => name?.[Symbol.dispose]());

function follow(lookUp: LookUp, keptMs?: number): string[] {
  const reported: string[] = [];
  name = new ResolvedName({
    url,
    lookUp,
    pauseMs: 5,
    ...(keptMs !== undefined && { keptMs }),
    onUrls: (urls) => void reported.push(urls.map(({ host }) => host).join(' ')),
  });
  return reported;
}

test('all addresses of one family are reported repeatedly', async () => {
  const answers = [
    [
      { address: 'fd00::1', family: 6 },
      { address: '10.0.0.1', family: 4 },
      { address: 'fd00::2', family: 6 },
    ],
    [{ address: '10.0.0.1', family: 4 }],
  ];
  const reported = follow((hostname) => {
    expect(hostname).toBe('inference');
    return Promise.resolve(answers.length > 1 ? answers.shift()! : answers[0]!);
  });
  await name!.first;
  while (reported.length < 3) await sleep(5);
  expect(reported.slice(0, 3)).toEqual([
    '[fd00::1]:8080 [fd00::2]:8080',
    '10.0.0.1:8080',
    '10.0.0.1:8080',
  ]);
});

test('a look-up that fails, or finds nothing, changes nothing for a while', async () => {
  let asked = 0;
  const reported = follow(() => {
    asked++;
    if (asked === 1) return Promise.resolve([{ address: '10.0.0.1', family: 4 }]);
    return asked % 2 === 0 ? Promise.reject(new Error('SERVFAIL')) : Promise.resolve([]);
  });
  while (asked < 10) await sleep(5);
  expect(reported).toEqual(['10.0.0.1:8080']);
});

test('the last addresses also expire while the resolver hangs', async () => {
  let asked = 0;
  const reported = follow(() => {
    if (++asked > 1) return new Promise(() => undefined);
    return Promise.resolve([{ address: '10.0.0.1', family: 4 }]);
  }, 50);
  while (reported.length < 2) await sleep(5);
  expect([asked, ...reported.slice(0, 2)]).toEqual([2, '10.0.0.1:8080', '']);
});
