import { expect, test } from '@jest/globals';
import { RecentReads } from './recent-reads.ts';

interface Row {
  readonly id: string;
  readonly owner: string;
}

/** Reads rows whose keys are `owner number`, and counts the reads of each. */
class Reader {
  readonly reads: string[] = [];
  readonly #recent: RecentReads<Row>;

  constructor(recent: RecentReads<Row>) {
    this.#recent = recent;
  }

  async get(id: string): Promise<void> {
    if (this.#recent.recall(id) !== null) return;
    const [owner = ''] = id.split(' ');
    await this.#recent.read(id, () => {
      this.reads.push(id);
      return Promise.resolve({ id, owner });
    });
  }
}

let now = 0;
const monotonic = () => now;

test('a row is read again after four seconds', async () => {
  const reader = new Reader(new RecentReads(monotonic));
  await reader.get('a 1');
  now += 3_999;
  await reader.get('a 1');
  expect(reader.reads).toEqual(['a 1']);
  now += 1;
  await reader.get('a 1');
  expect(reader.reads).toEqual(['a 1', 'a 1']);
});

test('an owner with many rows has only the own ones forgotten, the oldest first', async () => {
  const reader = new Reader(new RecentReads(monotonic, ({ owner }) => owner));
  await reader.get('b 0');
  for (let i = 0; i < 2_000; i++) await reader.get(`a ${i}`);
  reader.reads.length = 0;
  await reader.get('b 0');
  for (let i = 1_980; i < 2_000; i++) await reader.get(`a ${i}`);
  expect(reader.reads).toEqual([]);
  await reader.get('a 1979');
  expect(reader.reads).toEqual(['a 1979']);
});

test('at most a thousand rows are remembered', async () => {
  const reader = new Reader(new RecentReads(monotonic, ({ owner }) => owner));
  for (let i = 0; i < 1_001; i++) await reader.get(`${i} x`);
  reader.reads.length = 0;
  await reader.get('1 x');
  expect(reader.reads).toEqual([]);
  await reader.get('0 x');
  expect(reader.reads).toEqual(['0 x']);
});
