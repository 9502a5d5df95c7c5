import { expect, test } from '@jest/globals';
import { ProblemError, UnreachableError } from './api-error.ts';
import type { Api } from './api.ts';
import { createSend } from './create-send.ts';

const problem = (status: number, code: string) =>
  new ProblemError({ status, code, detail: code } as ProblemError['problem'], null);

/** Returns the function, and the keys of its requests, which get the answers in turn. */
function open(...answers: (Error | 'ok')[]) {
  const keys: string[] = [];
  const send = (_: string, { headers }: { headers: Record<string, string> }) => {
    keys.push(headers['Idempotency-Key']!);
    const answer = answers.shift();
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ operationId: 1 });
  };
  return { keys, send: createSend({ send } as unknown as Pick<Api, 'send'>) };
}

const distinct = (keys: readonly string[]) => keys.map((key) => keys.indexOf(key));

test('a retry has the key of the request that got no answer', async () => {
  const lost = [new UnreachableError('lost'), problem(503, 'overloaded')];
  const { send, keys } = open(...lost, problem(409, 'in_progress'), 'ok');
  const decide = () => send('rejectFace', { path: { id: 7 } });
  for (let times = 0; times < 3; times++) await expect(decide()).rejects.toThrow();
  await decide();
  expect(distinct(keys)).toEqual([0, 0, 0, 0]);
});

test('the same request is another decision once there was an answer', async () => {
  const { send, keys } = open('ok', problem(404, 'not_found'), 'ok');
  const decide = () => send('rejectFace', { path: { id: 7 } });
  await decide();
  await expect(decide()).rejects.toThrow();
  await decide();
  expect(distinct(keys)).toEqual([0, 1, 2]);
});

test('requests with another operation, id, body or file have other keys', async () => {
  const lost = new UnreachableError('lost');
  const { send, keys } = open(lost, lost, lost, lost, lost, lost, lost);
  const photo = (name: string) => ({
    path: { id: 7 },
    body: { file: new File(['x'], name, { type: 'image/jpeg', lastModified: 1 }) },
  });
  const sendings = [
    send('rejectFace', { path: { id: 7 } }),
    send('restoreFace', { path: { id: 7 } }),
    send('rejectFace', { path: { id: 8 } }),
    send('mergeIdentity', { path: { id: 7 }, body: { into: 1 } }),
    send('mergeIdentity', { path: { id: 7 }, body: { into: 2 } }),
    send('enrollIdentity', photo('a.jpg')),
    send('enrollIdentity', photo('b.jpg')),
    send('enrollIdentity', photo('a.jpg')),
  ];
  await Promise.allSettled(sendings);
  expect(distinct(keys)).toEqual([0, 1, 2, 3, 4, 5, 6, 5]);
});

test('a decision that is made again after another change of its record has another key', async () => {
  const { send, keys } = open(new UnreachableError('lost'), 'ok', 'ok');
  const remove = () => send('unassignFace', { path: { id: 7 } });
  await expect(remove()).rejects.toThrow();
  await send('reviewFaces', { body: { action: 'confirm', detection_ids: [6, 7], identity_id: 3 } });
  await remove();
  expect(distinct(keys)).toEqual([0, 1, 2]);
});

test('changes of other records leave the key as it is', async () => {
  const { send, keys } = open(new UnreachableError('lost'), 'ok', 'ok');
  const remove = () => send('unassignFace', { path: { id: 7 } });
  await expect(remove()).rejects.toThrow();
  await send('unassignFace', { path: { id: 8 } });
  await remove();
  expect(distinct(keys)).toEqual([0, 1, 0]);
});
