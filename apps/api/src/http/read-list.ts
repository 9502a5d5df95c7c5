import type { Page } from '@sightline/core/store/page';
import { encodeCursor } from './cursor.ts';
import { ItemStream } from './item-stream.ts';

/** Items per read of a list that is requested as a whole. */
const CHUNK = 1000;

/** Reads and presents a list. */
export interface ListReader<Item, Position, Shown> {
  /** The items after a position; null starts at the beginning. */
  readonly read: (after: Position | null, limit: number) => Promise<Page<Item>>;
  readonly positionOf: (item: Item) => Position;
  /** The parts of an opaque cursor, or the text of a cursor whose form is documented. */
  readonly cursorOf: (position: Position) => readonly (string | number)[] | string;
  readonly present: (item: Item) => Shown;
}

/** The requested part of a list. */
export interface ListPart<Position> {
  readonly after: Position | null;
  readonly limit: number | undefined;
  /** Runs each read of a list that is requested as a whole; if absent, the reads run at once. */
  readonly inTurn?: <T>(read: () => Promise<T>) => Promise<T>;
}

/**
 * A page of the list, or all items after the position if there is no limit.
 *
 * @param members further members of the answer; called after the last read
 */
export async function readList<Item, Position, Shown, Members extends object = object>(
  list: ListReader<Item, Position, Shown>,
  { after, limit, inTurn = (read) => read() }: ListPart<Position>,
  members = (): Members => ({}) as Members,
) {
  if (limit === undefined) {
    const read: typeof list.read = (...page) => inTurn(() => list.read(...page));
    return new ItemStream(readAll({ ...list, read }, { after }), members);
  }
  return { ...presentPage(list, await list.read(after, limit)), ...members() };
}

/** The answer for a page of a list. */
export function presentPage<Item, Position, Shown>(
  { positionOf, cursorOf, present }: Omit<ListReader<Item, Position, Shown>, 'read'>,
  { items, hasMore }: Page<Item>,
) {
  const last = items.at(-1);
  const next = hasMore && last !== undefined ? textOf(cursorOf(positionOf(last))) : null;
  return { items: items.map(present), next_cursor: next, has_more: next !== null };
}

function textOf(cursor: readonly (string | number)[] | string): string {
  return typeof cursor === 'string' ? cursor : encodeCursor(cursor);
}

/** All items after a position, in pages as they are read. */
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
