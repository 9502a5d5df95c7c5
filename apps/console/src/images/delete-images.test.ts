import { expect, test } from '@jest/globals';
import type { Api } from '../client/api.ts';
import { ProblemError, UnreachableError } from '../client/api-error.ts';
import { deleteImages } from './delete-images.ts';

const problem = (status: number, code: string) =>
  new ProblemError({ status, code, detail: code } as ProblemError['problem'], 0);

/** An API whose answers about single images are given in turn. */
function fakeApi(answers: Readonly<Record<number, (number | Error)[]>>) {
  const asked: number[] = [];
  const send = (_: string, { path }: { path: { id: number } }) => {
    asked.push(path.id);
    const answer = answers[path.id]!.shift()!;
    return answer instanceof Error
      ? Promise.reject(answer)
      : Promise.resolve({ operationId: answer });
  };
  return { api: { send } as unknown as Api, asked };
}

test('every image is deleted with an operation of its own', async () => {
  const { api } = fakeApi({ 1: [11], 2: [12], 3: [13] });
  expect(await deleteImages(api, [1, 2, 3])).toEqual({
    deleted: [1, 2, 3],
    operationIds: [11, 12, 13],
    error: null,
  });
});

test('an image that another tab has deleted counts as deleted', async () => {
  const { api } = fakeApi({ 1: [problem(404, 'not_found')], 2: [12] });
  const { deleted, operationIds } = await deleteImages(api, [1, 2]);
  expect(deleted.toSorted()).toEqual([1, 2]);
  expect(operationIds).toEqual([12]);
});

test('a limit of requests is waited for', async () => {
  const { api, asked } = fakeApi({ 1: [problem(429, 'rate_limited'), 11] });
  expect(await deleteImages(api, [1])).toMatchObject({ deleted: [1], error: null });
  expect(asked).toEqual([1, 1]);
});

test('one failure does not stop the others', async () => {
  const failure = new UnreachableError('down');
  const { api } = fakeApi({ 1: [failure], 2: [12] });
  expect(await deleteImages(api, [1, 2])).toEqual({
    deleted: [2],
    operationIds: [12],
    error: failure,
  });
});
