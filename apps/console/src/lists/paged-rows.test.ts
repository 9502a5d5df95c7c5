import { describe, expect, jest, test } from '@jest/globals';
import { PAGE_ROWS, type PageRequest, type RowsPage } from './first-rows.ts';
import { type Bucket, PagedRows } from './paged-rows.ts';

interface Row {
  readonly id: number;
}

/** A list of ids from 0 on. Its cursors are the ids of their first rows. */
class FakeList {
  ids: number[];
  readonly requests: PageRequest[] = [];
  /** Answers that wait until a test releases them; null if every request is answered at once. */
  waiting: (() => void)[] | null = null;
  failure: Error | null = null;

  constructor(count: number) {
    this.ids = Array.from({ length: count }, (_, id) => id);
  }

  buckets(size: number): Bucket[] {
    const starts = this.ids.filter((_, index) => index % size === 0);
    return starts.map((first, at) => ({
      cursor: at === 0 ? null : String(first),
      first,
      count: Math.min(size, this.ids.length - at * size),
    }));
  }

  readonly load = async (request: PageRequest): Promise<RowsPage<Row>> => {
    this.requests.push(request);
    const { waiting } = this;
    if (waiting) await new Promise<void>((resolve) => waiting.push(resolve));
    if (this.failure) throw this.failure;
    const start = this.ids.findIndex((id) => id >= Number(request.cursor ?? 0));
    const end = start + request.limit;
    const items = this.ids.slice(start, end).map((id) => ({ id }));
    const hasMore = end < this.ids.length;
    return { items, next_cursor: hasMore ? String(this.ids[end]) : null, has_more: hasMore };
  };
}

function opened(count: number, bucketSize = 1000) {
  const list = new FakeList(count);
  const rows = new PagedRows<Row>(list.load);
  rows.refresh(list.buckets(bucketSize));
  return { list, rows };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const cursors = (list: FakeList) => list.requests.map(({ cursor }) => cursor);

describe('the rows of a list', () => {
  test('have no number until the buckets are known', () => {
    const rows = new PagedRows<Row>(new FakeList(3).load);
    expect(rows.total).toBeNull();
    expect(rows.rowAt(0)).toBeUndefined();
    rows.refresh([]);
    expect(rows.total).toBe(0);
  });

  test('are read where the view is, without those before', async () => {
    const { list, rows } = opened(1_000_000);
    expect(rows.total).toBe(1_000_000);
    rows.show(700_010, 700_050);
    await settled();
    expect(cursors(list)).toEqual(['700000']);
    expect(rows.rowAt(700_010)).toEqual({ id: 700_010 });
    expect(rows.rowAt(0)).toBeUndefined();
  });

  test('in the middle of a bucket are reached through the pages before them, once', async () => {
    const { list, rows } = opened(10_000);
    rows.show(3450, 3460);
    await settled();
    expect(cursors(list)).toEqual(['3000', '3200', '3400']);
    rows.show(3210, 3220);
    await settled();
    expect(list.requests).toHaveLength(3);
    expect(rows.rowAt(3210)).toEqual({ id: 3210 });
  });

  test('of a view over two buckets come from both', async () => {
    const { list, rows } = opened(2000, 1000);
    rows.show(0, 10);
    await settled();
    rows.show(990, 1010);
    await settled();
    expect(rows.rowAt(999)).toEqual({ id: 999 });
    expect(rows.rowAt(1000)).toEqual({ id: 1000 });
    expect(cursors(list)).toContain('1000');
  });

  test('are requested in at most four requests at once, and those that left the view are aborted', async () => {
    const { list, rows } = opened(100_000, 200);
    list.waiting = [];
    rows.show(0, 1999);
    expect(list.requests).toHaveLength(4);
    rows.show(50_000, 50_010);
    expect(list.requests.slice(0, 4).every(({ signal }) => signal.aborted)).toBe(true);
    expect(list.requests).toHaveLength(5);
    list.waiting.splice(0).forEach((answer) => answer());
    await settled();
    expect(rows.rowAt(0)).toBeUndefined();
    expect(rows.rowAt(50_000)).toEqual({ id: 50_000 });
  });

  test('of the oldest pages are forgotten when forty are kept', async () => {
    const { rows } = opened(100_000, 200);
    for (let page = 0; page < 42; page++) {
      rows.show(page * 200, page * 200 + 199);
      await settled();
    }
    expect(rows.rowAt(0)).toBeUndefined();
    expect(rows.rowAt(399)).toBeUndefined();
    expect(rows.rowAt(400)).toEqual({ id: 400 });
    expect(rows.rowAt(8399)).toEqual({ id: 8399 });
  });

  test('tell where the buckets begin', () => {
    expect(opened(450, 200).rows.bucketStarts).toEqual([
      { index: 0, first: 0 },
      { index: 200, first: 200 },
      { index: 400, first: 400 },
    ]);
  });
});

describe('the rows of a changed list', () => {
  test('close up when some were deleted here', async () => {
    const { list, rows } = opened(1000);
    rows.show(0, 399);
    await settled();
    rows.remove(new Set([1, 250]));
    list.ids = list.ids.filter((id) => id !== 1 && id !== 250);
    expect(rows.total).toBe(998);
    expect(rows.rowAt(1)).toEqual({ id: 2 });
    expect(rows.rowAt(397)).toEqual({ id: 399 });
    rows.show(398, 500);
    await settled();
    expect(rows.rowAt(398)).toEqual({ id: 400 });
  });

  test('end where the last page ends, although the buckets say otherwise', async () => {
    const { list, rows } = opened(150);
    list.ids.splice(100);
    rows.show(0, 50);
    await settled();
    expect(rows.total).toBe(100);
  });

  test('go on behind the buckets if the list has grown', async () => {
    const list = new FakeList(150);
    const rows = new PagedRows<Row>(list.load);
    rows.refresh(list.buckets(1000));
    list.ids = Array.from({ length: 230 }, (_, id) => id);
    rows.show(0, 50);
    await settled();
    expect(rows.total).toBe(201);
    rows.show(180, 200);
    await settled();
    expect(rows.total).toBe(230);
    expect(rows.rowAt(229)).toEqual({ id: 229 });
  });

  test('stay until those of a refresh are there', async () => {
    const { list, rows } = opened(100);
    rows.show(0, 50);
    await settled();
    list.ids = list.ids.map((id) => id + 1000);
    list.waiting = [];
    rows.refresh(list.buckets(1000).map((bucket) => ({ ...bucket, cursor: null })));
    expect(rows.rowAt(3)).toEqual({ id: 3 });
    list.waiting.splice(0).forEach((answer) => answer());
    await settled();
    expect(rows.rowAt(3)).toEqual({ id: 1003 });
  });
});

describe('rows that cannot be read', () => {
  test('have an error, and are read again on request', async () => {
    const { list, rows } = opened(1000);
    const listener = jest.fn();
    rows.subscribe(listener);
    list.failure = new Error('unreachable');
    rows.show(500, 510);
    await settled();
    expect(rows.error).toBe(list.failure);
    expect(list.requests).toHaveLength(1);
    expect(listener).toHaveBeenCalled();
    list.failure = null;
    rows.retry();
    await settled();
    expect(rows.error).toBeNull();
    expect(rows.rowAt(500)).toEqual({ id: 500 });
  });

  test('are left out of a range', async () => {
    const { list, rows } = opened(1000, 200);
    rows.show(0, 10);
    await settled();
    list.failure = new Error('unreachable');
    expect((await rows.readRange(198, 202)).map(({ id }) => id)).toEqual([198, 199]);
  });
});

test('a range is read although it is not in view', async () => {
  const { rows } = opened(10_000);
  rows.show(0, 10);
  const read = await rows.readRange(350, 450);
  expect(read).toHaveLength(101);
  expect(read[0]).toEqual({ id: 350 });
});

test('a list that is left has nothing in flight', () => {
  const { list, rows } = opened(1000);
  list.waiting = [];
  rows.show(0, 10);
  rows.stop();
  expect(list.requests[0]!.signal.aborted).toBe(true);
});

describe('the first rows of a list', () => {
  function readFirst(list: FakeList) {
    const { signal } = new AbortController();
    return list.load({ cursor: undefined, limit: PAGE_ROWS, signal });
  }

  function begun(count: number) {
    const list = new FakeList(count);
    const rows = new PagedRows<Row>(list.load);
    rows.begin(readFirst(list));
    return { list, rows };
  }

  test('are not read again with the first buckets', async () => {
    const { list, rows } = begun(500);
    rows.refresh(list.buckets(100));
    rows.show(0, 250);
    await settled();
    expect(cursors(list)).toEqual([undefined, '100', '200']);
    expect(rows.rowAt(99)).toEqual({ id: 99 });
  });

  test('are read again with the next buckets', async () => {
    const { list, rows } = begun(3);
    rows.refresh(list.buckets(100));
    rows.refresh(list.buckets(100));
    rows.show(0, 2);
    await settled();
    expect(cursors(list)).toEqual([undefined, undefined]);
  });

  test('are not used for rows elsewhere, nor later', async () => {
    const { list, rows } = begun(500);
    rows.refresh(list.buckets(100));
    rows.show(300, 310);
    await settled();
    rows.show(0, 10);
    await settled();
    expect(cursors(list)).toEqual([undefined, '300', undefined]);
  });

  test('are read again if the early request failed before the buckets were there', async () => {
    const list = new FakeList(3);
    list.failure = new Error('The service did not answer.');
    const rows = new PagedRows<Row>(list.load);
    rows.begin(readFirst(list));
    await settled();
    list.failure = null;
    rows.refresh(list.buckets(100));
    rows.show(0, 2);
    await settled();
    expect(rows.error).toBeNull();
    expect(rows.rowAt(2)).toEqual({ id: 2 });
  });

  test('are missing with the reason of the early request', async () => {
    const list = new FakeList(3);
    list.failure = new Error('The service did not answer.');
    const rows = new PagedRows<Row>(list.load);
    rows.begin(readFirst(list));
    rows.refresh(list.buckets(100));
    rows.show(0, 2);
    await settled();
    expect(rows.error).toBe(list.failure);
  });
});
