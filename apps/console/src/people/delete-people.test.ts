import { expect, test } from '@jest/globals';
import type { Api } from '../client/api.ts';
import { deletePeople } from './delete-people.ts';

interface Fake {
  readonly deleted: number;
  readonly operationId: number | null;
  /** The pages of the people of each operation in the history, the newest operation first. */
  readonly history?: readonly { id: number; undoable: boolean; pages: readonly number[][] }[];
}

function fakeApi({ deleted, operationId, history }: Fake) {
  const reads: string[] = [];
  const send = () => Promise.resolve({ body: { deleted }, operationId });
  const read = (
    operation: string,
    input: { path?: { id: number }; query: { cursor?: string } },
  ) => {
    reads.push(operation);
    if (history === undefined) return Promise.reject(new Error('no history'));
    if (operation === 'listOperations') return Promise.resolve({ items: history });
    const { pages } = history.find(({ id }) => id === input.path!.id)!;
    const at = Number(input.query.cursor ?? 0);
    return Promise.resolve({
      items: pages[at]!.map((id) => ({ identity_id: id === 0 ? null : id, after: null })),
      next_cursor: at + 1 < pages.length ? String(at + 1) : null,
    });
  };
  return { api: { send, read } as unknown as Api, reads };
}

const theirs = { id: 30, undoable: true, pages: [[8, 9]] };
const takenBack = { id: 29, undoable: false, pages: [[1, 2, 3]] };
const lost = {
  id: 28,
  undoable: true,
  pages: [
    [1, 2],
    [3, 0],
  ],
};

test('a deletion with an answer does not read the history', async () => {
  const { api, reads } = fakeApi({ deleted: 2, operationId: 5, history: [lost] });
  expect(await deletePeople(api, [1, 2, 3], false)).toEqual({ deleted: 2, operationIds: [5] });
  expect(reads).toEqual([]);
});

test('a deletion whose answer was lost is found by the people whom it deleted', async () => {
  const history = [theirs, takenBack, lost];
  const { api } = fakeApi({ deleted: 0, operationId: null, history });
  expect(await deletePeople(api, [1, 2, 3], true)).toEqual({ deleted: 3, operationIds: [28] });
});

test('a deletion that was carried out in part is taken back with its rest', async () => {
  const rest = { id: 31, undoable: true, pages: [[3]] };
  const history = [rest, { ...lost, pages: [[1, 2]] }];
  const { api } = fakeApi({ deleted: 1, operationId: 31, history });
  expect(await deletePeople(api, [1, 2, 3], true)).toEqual({ deleted: 3, operationIds: [28, 31] });
});

test.each([{ history: [theirs] }, {}])('without its operation nothing is claimed', async (fake) => {
  const { api } = fakeApi({ deleted: 0, operationId: null, ...fake });
  expect(await deletePeople(api, [1, 2, 3], true)).toEqual({ deleted: 0, operationIds: [] });
});
