import { expect, test } from '@jest/globals';
import { Credential, withCredential } from './credential.ts';

function credentialOf(...first: readonly string[]) {
  let values: readonly string[] | null = first;
  let now = 0;
  const read = () => {
    if (values === null) throw new Error('The file is being replaced.');
    return values;
  };
  return {
    credential: new Credential(read, () => now),
    write: (...next: readonly string[]) => (values = next),
    unlink: () => (values = null),
    wait: (ms: number) => (now += ms),
  };
}

test('a refused value is replaced by the other one, or by one that was written since', () => {
  const { credential, write } = credentialOf('new', 'old');
  expect(credential.current).toBe('new');
  expect([credential.renew('new'), credential.current]).toEqual([true, 'old']);
  // Other requests that were refused at the same time continue with the chosen value.
  expect([credential.renew('new'), credential.current]).toEqual([true, 'old']);
  write('newer');
  expect([credential.renew('old'), credential.current]).toEqual([true, 'newer']);
  expect(credential.renew('newer')).toBe(false);
});

test('the first value is used again after some time, and a changed file without any refusal', () => {
  const { credential, write, wait } = credentialOf('new', 'old');
  credential.renew('new');
  wait(9_999);
  expect(credential.current).toBe('old');
  wait(1);
  expect(credential.current).toBe('new');
  write('newer');
  wait(10_000);
  expect(credential.current).toBe('newer');
});

test('a file that cannot be read for a moment changes nothing', () => {
  const { credential, unlink, wait } = credentialOf('one');
  unlink();
  wait(10_000);
  expect([credential.current, credential.renew('one'), credential.current]).toEqual([
    'one',
    false,
    'one',
  ]);
});

test.each([
  [['new', 'old'], ['new'], ['new']],
  [['new', 'old'], ['old'], ['new', 'old']],
  [['old'], ['new'], ['old']],
  [['new', 'old'], [], ['new', 'old', 'new']],
])('a caller with %j calls a service that accepts %j with %j', async (values, accepted, sent) => {
  const calls: string[] = [];
  const { credential } = credentialOf(...values);
  const attempt = (value: string) => {
    calls.push(value);
    return Promise.resolve(accepted.includes(value));
  };
  await withCredential(credential, attempt, (outcome) => !valueOf(outcome));
  expect(calls).toEqual(sent);
});

test('an error that is no refusal is thrown at once', async () => {
  const { credential } = credentialOf('new', 'old');
  const failure = new Error('It is down.');
  const failing = withCredential(
    credential,
    () => Promise.reject(failure),
    () => false,
  );
  await expect(failing).rejects.toBe(failure);
});

function valueOf(outcome: PromiseSettledResult<boolean>): boolean {
  return outcome.status === 'fulfilled' && outcome.value;
}
