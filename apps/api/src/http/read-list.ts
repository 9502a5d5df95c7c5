import type { Page } from '@sightline/core/store/page';
import { type CursorPart, encodeCursor } from './cursor.ts';
import { ItemStream } from './item-stream.ts';

/** The number of items per read when a client requests the whole list. */
const CHUNK = 1000;

export interface ListReader<Item, Position, Shown> {
  /** Reads items after a position; null starts at the beginning. */
  readonly read: (after: Position | null, limit: number) => Promise<Page<Item>>;
  readonly positionOf: (item: Item) => Position;
  /** The parts of an opaque cursor, or the text of a cursor whose form is documented. */
  readonly cursorOf: (position: Position) => readonly CursorPart[] | string;
  readonly present: (item: Item) => Shown;
  /**
   * The reads of a whole list whose order may change during the reads. Without them, a whole list is read page by page,
   * and an item that moves to another position meanwhile could be missing or come twice.
   */
  readonly whole?: WholeListReader<Item, Position> | undefined;
}

export interface WholeListReader<Item, Position> {
  /** Reads the ids of all items after a position, in their order. */
  readonly ids: (after: Position | null) => Promise<readonly number[]>;
  /** Reads the items that still exist, in the order of their ids in the call. */
  readonly byIds: (ids: readonly number[]) => Promise<readonly Item[]>;
}

export interface ListPart<Position> {
  readonly after: Position | null;
  readonly limit: number | undefined;
  /** Runs each read of a whole list in its turn; if absent, the reads run without waiting. */
  readonly inTurn?: <T>(read: () => Promise<T>) => Promise<T>;
}

/**
 * Reads a page of the list, or all items after the position if there is no limit.
 *
 * @param members returns further members of the answer; called after the last read
 */
export async function readList<Item, Position, Shown, Members extends object = object>(
  list: ListReader<Item, Position, Shown>,
  { after, limit, inTurn = (read) => read() }: ListPart<Position>,
  members = (): Members => ({}) as Members,
) {
  if (limit === undefined) {
    const { whole } = list;
    const read: typeof list.read = (...page) => inTurn(() => list.read(...page));
    const parts =
      whole === undefined
        ? readAll({ ...list, read }, { after })
        : readByIds({ ...list, ...whole }, { after, inTurn });
    return new ItemStream(parts, members);
  }
  return { ...presentPage(list, await list.read(after, limit)), ...members() };
}

export function presentPage<Item, Position, Shown>(
  { positionOf, cursorOf, present }: Omit<ListReader<Item, Position, Shown>, 'read'>,
  { items, hasMore }: Page<Item>,
) {
  const last = items.at(-1);
  const next = hasMore && last !== undefined ? textOf(cursorOf(positionOf(last))) : null;
  return { items: items.map(present), next_cursor: next, has_more: next !== null };
}

function textOf(cursor: readonly CursorPart[] | string): string {
  return typeof cursor === 'string' ? cursor : encodeCursor(cursor);
}

export async function* readAll<Item, Position, Shown>(
  { read, positionOf, present }: Omit<ListReader<Item, Position, Shown>, 'cursorOf'>,
  { after, chunk = CHUNK }: { readonly after: Position | null; readonly chunk?: number },
): AsyncGenerator<readonly Shown[]> {
  for (let position = after; ;) {
    const { items, hasMore } = await read(position, chunk);
    yield items.map(present);
    const last = items.at(-1);
    if (!hasMore || last === undefined) return;
    position = positionOf(last);
  }
}

/** Reads the ids of all items first, so that each item comes once, at the position that it had then. */
async function* readByIds<Item, Position, Shown>(
  {
    ids,
    byIds,
    present,
  }: WholeListReader<Item, Position> & Pick<ListReader<Item, Position, Shown>, 'present'>,
  { after, inTurn }: Required<Omit<ListPart<Position>, 'limit'>>,
): AsyncGenerator<readonly Shown[]> {
  const all = await inTurn(() => ids(after));
  if (all.length === 0) yield [];
  for (let from = 0; from < all.length; from += CHUNK) {
    const items = await inTurn(() => byIds(all.slice(from, from + CHUNK)));
    yield items.map(present);
  }
}
