import type { Page } from '@sightline/core/store/page';
import { encodeCursor } from './cursor.ts';
import { ItemStream } from './item-stream.ts';

/** Items per read of a list that is requested as a whole, if the list does not say. */
const CHUNK = 1000;

/** How a list is read and presented. */
export interface ListReader<Item, Position, Shown> {
  /** The items after a position; null starts at the beginning. */
  readonly read: (after: Position | null, limit: number) => Promise<Page<Item>>;
  readonly positionOf: (item: Item) => Position;
  /** The parts of the cursor of a position. */
  readonly cursorOf: (position: Position) => readonly (string | number)[];
  readonly present: (item: Item) => Shown;
}

/** A page of the list, or all items after the position if there is no limit. */
export async function readList<Item, Position, Shown>(
  list: ListReader<Item, Position, Shown>,
  { after, limit }: { readonly after: Position | null; readonly limit: number | undefined },
) {
  if (limit === undefined) return new ItemStream(readAll(list, { after }));
  const { items, hasMore } = await list.read(after, limit);
  const last = items.at(-1);
  const next =
    hasMore && last !== undefined ? encodeCursor(list.cursorOf(list.positionOf(last))) : null;
  return { items: items.map(list.present), next_cursor: next, has_more: next !== null };
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
