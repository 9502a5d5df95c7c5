import type { Page } from '@sightline/core/store/page';
import { encodeCursor } from './cursor.ts';
import { ItemStream } from './item-stream.ts';

/** Items that are read at once from a list that is asked for whole. */
const CHUNK = 1000;

/** How a list is read and shown. */
export interface ListReader<Item, Place, Shown> {
  /** The items that follow a place; null: from the beginning. */
  readonly read: (after: Place | null, limit: number) => Promise<Page<Item>>;
  readonly placeOf: (item: Item) => Place;
  /** What the cursor of a place is made of. */
  readonly cursorOf: (place: Place) => readonly (string | number)[];
  readonly present: (item: Item) => Shown;
}

/** A page of the list, or all that follows if no limit is given. */
export async function readList<Item, Place, Shown>(
  list: ListReader<Item, Place, Shown>,
  { after, limit }: { readonly after: Place | null; readonly limit: number | undefined },
) {
  if (limit === undefined) return new ItemStream(readAll(list, after));
  const { items, hasMore } = await list.read(after, limit);
  const last = items.at(-1);
  const next =
    hasMore && last !== undefined ? encodeCursor(list.cursorOf(list.placeOf(last))) : null;
  return { items: items.map(list.present), next_cursor: next, has_more: next !== null };
}

async function* readAll<Item, Place, Shown>(
  { read, placeOf, present }: ListReader<Item, Place, Shown>,
  after: Place | null,
): AsyncGenerator<readonly Shown[]> {
  for (let place = after; ;) {
    const { items, hasMore } = await read(place, CHUNK);
    yield items.map(present);
    const last = items.at(-1);
    if (!hasMore || last === undefined) return;
    place = placeOf(last);
  }
}
