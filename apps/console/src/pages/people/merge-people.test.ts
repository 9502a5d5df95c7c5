import { expect, test } from '@jest/globals';
import { ProblemError, UnreachableError } from '../../client/api-error.ts';
import { mergePeople, type MergeWays, NOTHING_MERGED } from './merge-people.ts';

const notFound = new ProblemError(
  { status: 404, code: 'not_found', detail: 'none' } as ProblemError['problem'],
  null,
);
const lostAnswer = new UnreachableError('lost');

/** A service whose answers to merges are given in turn, each an operation or an error. */
function fakeService(answers: (number | Error)[], target: Error | null = null) {
  const asked: number[] = [];
  const send = (_: string, { path }: { path: { id: number } }) => {
    asked.push(path.id);
    const answer = answers.shift()!;
    return answer instanceof Error
      ? Promise.reject(answer)
      : Promise.resolve({ operationId: answer });
  };
  const read = () => (target === null ? Promise.resolve({}) : Promise.reject(target));
  return { ways: { send, read } as unknown as MergeWays, asked };
}

const people = { into: 1, ids: [2, 3] };

test('a retry goes on with the rest, and has the operations of both attempts', async () => {
  const { ways, asked } = fakeService([12, lostAnswer, 13]);
  const first = await mergePeople(ways, NOTHING_MERGED, people);
  expect(first).toEqual({
    merged: new Set([2]),
    operationIds: [12],
    lost: { id: 3, into: 1 },
    error: lostAnswer,
  });
  expect(await mergePeople(ways, first, people)).toEqual({
    merged: new Set([2, 3]),
    operationIds: [12, 13],
    lost: null,
    error: null,
  });
  expect(asked).toEqual([2, 3, 3]);
});

test('a person whom the lost request has merged does not stop the others', async () => {
  const { ways } = fakeService([lostAnswer, notFound, 13]);
  const first = await mergePeople(ways, NOTHING_MERGED, people);
  expect(await mergePeople(ways, first, people)).toMatchObject({
    merged: new Set([2, 3]),
    operationIds: [13],
    error: null,
  });
});

test('no person counts as merged if the person who stays is missing', async () => {
  const { ways } = fakeService([lostAnswer, notFound], notFound);
  const first = await mergePeople(ways, NOTHING_MERGED, people);
  expect(await mergePeople(ways, first, people)).toMatchObject({
    merged: new Set(),
    error: notFound,
  });
});

test('a person who was deleted elsewhere was not merged', async () => {
  const { ways } = fakeService([notFound]);
  expect(await mergePeople(ways, NOTHING_MERGED, people)).toMatchObject({
    merged: new Set(),
    error: notFound,
  });
});
