import type { Stores } from '@sightline/core/database/database';
import type { Page } from '@sightline/core/store/page';
import type { Scope } from '@sightline/core/store/scope';
import { z } from 'zod';
import type { ApiContext } from '../context/api-context.ts';
import { decodeCursor } from './cursor.ts';
import { type ListReader, readList } from './read-list.ts';

/** Translates between the items of a list, their positions and their cursors. */
export interface ListOrder<Item, Position> extends Pick<
  ListReader<Item, Position, never>,
  'positionOf' | 'cursorOf'
> {
  /**
   * Returns the position after which to read, or null if there is no cursor.
   *
   * @throws HttpError invalid_request for a text that is not a cursor of this list
   */
  readonly after: (cursor: string | undefined) => Position | null;
}

export interface AnsweredList<Item, Position, Shown> {
  readonly order: ListOrder<Item, Position>;
  readonly read: (stores: Stores, after: Position | null, limit: number) => Promise<Page<Item>>;
  readonly present: (item: Item) => Shown;
  /** The reads of a whole list whose order may change; see {@link WholeListReader}. */
  readonly whole?: {
    readonly ids: (stores: Stores, after: Position | null) => Promise<readonly number[]>;
    readonly byIds: (stores: Stores, ids: readonly number[]) => Promise<readonly Item[]>;
  };
}

interface ListRequest {
  readonly query: {
    readonly cursor?: string | undefined;
    /**
     * If absent, the answer has the whole list. The list is read in parts, because other requests of the environment
     * for whole lists take turns with it.
     */
    readonly limit?: number | undefined;
  };
  readonly scope: Scope;
  readonly signal: AbortSignal;
}

export async function answerList<Item, Position, Shown, Members extends object = object>(
  { database, parts }: Pick<ApiContext, 'database' | 'parts'>,
  { query, scope, signal }: ListRequest,
  list: AnsweredList<Item, Position, Shown> & {
    /** Returns further members of the answer; called after the last read. */
    readonly members?: () => Members;
  },
) {
  const { order, present, read, whole, members } = list;
  const inScope = <T>(work: (stores: Stores) => Promise<T>) =>
    database.withScope(scope, work, signal);
  const body = await readList(
    {
      ...order,
      present,
      read: (after, limit) => inScope((stores) => read(stores, after, limit)),
      whole: whole && {
        ids: (after) => inScope((stores) => whole.ids(stores, after)),
        byIds: (ids) => inScope((stores) => whole.byIds(stores, ids)),
      },
    },
    {
      after: order.after(query.cursor),
      limit: query.limit,
      inTurn: (part) => parts.run(scope, part, signal),
    },
    members,
  );
  return { status: 200 as const, body };
}

/** A list by ascending id. Its opaque cursor has the name of the list and the id. */
export function byId(list: string): ListOrder<{ readonly id: number }, number> {
  const Cursor = z.tuple([z.literal(list), z.int()]).transform(([, id]) => id);
  return {
    after: (cursor) => decodeCursor(Cursor, cursor),
    positionOf: ({ id }) => id,
    cursorOf: (id) => [list, id],
  };
}
