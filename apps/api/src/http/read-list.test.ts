import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { decodeCursor } from './cursor.ts';
import { ItemStream } from './item-stream.ts';
import { readList } from './read-list.ts';

/** The numbers from 1 to `last`, as a list that is read in parts. */
function numbers(last: number) {
  const reads: number[] = [];
  return {
    reads,
    list: {
      read: (after: number | null, limit: number) => {
        reads.push(limit);
        const first = (after ?? 0) + 1;
        const count = Math.max(0, Math.min(limit, last - first + 1));
        const items = Array.from({ length: count }, (_, i) => first + i);
        return Promise.resolve({ items, hasMore: first + count <= last });
      },
      positionOf: (item: number) => item,
      cursorOf: (position: number) => [position],
      present: (id: number) => ({ id }),
    },
  };
}

const Cursor = z.tuple([z.int()]).transform(([id]) => id);

async function textOf(stream: unknown): Promise<string> {
  if (!(stream instanceof ItemStream)) throw new TypeError('This is a page.');
  return (await Array.fromAsync(stream.json())).join('');
}

describe('a list with a limit', () => {
  test('comes in pages until it ends', async () => {
    const { list } = numbers(5);
    const pages: number[][] = [];
    let cursor: string | undefined;
    do {
      const page = await readList(list, { after: decodeCursor(Cursor, cursor), limit: 2 });
      if (page instanceof ItemStream) throw new TypeError('This is the whole list.');
      pages.push(page.items.map(({ id }) => id));
      expect(page.has_more).toBe(page.next_cursor !== null);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(pages).toEqual([[1, 2], [3, 4], [5]]);
  });
});

describe('a list without a limit', () => {
  test.each([0, 1, 1000, 2500])('of %i items comes whole', async (count) => {
    const { list, reads } = numbers(count);
    const text = await textOf(await readList(list, { after: null, limit: undefined }));
    const { items, ...rest } = JSON.parse(text) as { items: { id: number }[] };
    expect(items.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
    expect(rest).toEqual({ next_cursor: null, has_more: false });
    expect(reads).toHaveLength(Math.max(1, Math.ceil(count / 1000)));
  });

  test('is read part by part in its turns', async () => {
    const { list, reads } = numbers(2500);
    const begun: number[] = [];
    const inTurn = <T>(read: () => Promise<T>) => {
      begun.push(reads.length);
      return read();
    };
    await textOf(await readList(list, { after: null, limit: undefined, inTurn }));
    expect(begun).toEqual([0, 1, 2]);
  });

  test('starts after a cursor', async () => {
    const { list } = numbers(4);
    const text = await textOf(await readList(list, { after: 2, limit: undefined }));
    expect(JSON.parse(text)).toMatchObject({ items: [{ id: 3 }, { id: 4 }] });
  });

  test('has each item once if the order changes during the reads', async () => {
    const { list } = numbers(2500);
    const order = Array.from({ length: 2500 }, (_, i) => 2500 - i);
    let parts = 0;
    const whole = {
      ids: () => Promise.resolve([...order]),
      byIds: (ids: readonly number[]) => {
        // The last item moves to the beginning, and the item after it is deleted.
        if (parts++ === 0) order.unshift(...order.splice(-1));
        return Promise.resolve(ids.filter((id) => id !== 2));
      },
    };
    const text = await textOf(
      await readList({ ...list, whole }, { after: null, limit: undefined }),
    );
    const { items } = JSON.parse(text) as { items: { id: number }[] };
    const expected = Array.from({ length: 2500 }, (_, i) => 2500 - i).filter((id) => id !== 2);
    expect(items.map(({ id }) => id)).toEqual(expected);
    expect(parts).toBe(3);
  });

  test('is read while it is written', async () => {
    const { list, reads } = numbers(2500);
    const stream = await readList(list, { after: null, limit: undefined });
    expect(reads).toEqual([]);
    if (!(stream instanceof ItemStream)) throw new TypeError('This is a page.');
    await stream.json().next();
    expect(reads).toHaveLength(1);
  });
});
