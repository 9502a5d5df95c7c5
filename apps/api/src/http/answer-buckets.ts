import type { Buckets as BucketsAnswer } from '@sightline/contracts/buckets';
import type { Caller } from '@sightline/core/access/caller';
import type { Stores } from '@sightline/core/database/database';
import type { Buckets } from '@sightline/core/store/buckets';
import type { ListPosition } from '@sightline/core/store/list-position';
import type { Scope } from '@sightline/core/store/scope';
import type { z } from 'zod';
import type { ApiContext } from '../context/api-context.ts';
import { type CursorPart, encodeCursor } from './cursor.ts';

/** The signal of a read that goes on although its caller has disconnected, because others may share it. */
const NEVER = new AbortController().signal;

interface BucketRequest {
  readonly query?: unknown;
  readonly scope: Scope;
  readonly caller: Caller;
}

export interface AnsweredBuckets<Value> {
  /** The path of the list. */
  readonly list: string;
  readonly direction: 'asc' | 'desc';
  readonly read: (stores: Stores) => Promise<Buckets<Value>>;
  /** The parts of an opaque cursor, or the text of a cursor whose form is documented. */
  readonly cursorOf: (position: ListPosition<Value>) => readonly CursorPart[] | string;
  /** Returns the value as text; the default is for numbers and times. */
  readonly textOf?: (value: Value) => string;
}

type Body = z.input<typeof BucketsAnswer>;

/** Divides a list into buckets. Requests of an environment take turns, because each reads all rows of its list. */
export async function answerBuckets<Value>(
  context: Pick<ApiContext, 'database' | 'parts' | 'recent'>,
  { query = {}, scope, caller }: BucketRequest,
  buckets: AnsweredBuckets<Value>,
) {
  const question = JSON.stringify([buckets.list, caller.right, query]);
  const { database, parts, recent } = context;
  const body = await recent.get(scope, question, async () => {
    const found = await parts.run(scope, () => database.withScope(scope, buckets.read), NEVER);
    return present(found, buckets);
  });
  return { status: 200 as const, body };
}

function present<Value>(
  { items, total, asOf }: Buckets<Value>,
  { direction, cursorOf, textOf }: AnsweredBuckets<Value>,
): Body {
  const shown = items.map(({ first, count }, i) => ({
    cursor: i === 0 ? null : textOfCursor(cursorOf(before(first, direction))),
    first: textOf === undefined ? toFirst(first.value) : textOf(first.value),
    count,
  }));
  return { items: shown, total, as_of: asOf.toISOString() };
}

/** The position right before a row: no other row has the row's value and an id between the two. */
function before<Value>({ value, id }: ListPosition<Value>, direction: 'asc' | 'desc') {
  return { value, id: direction === 'desc' ? id + 1 : id - 1 };
}

function textOfCursor(cursor: readonly CursorPart[] | string): string {
  return typeof cursor === 'string' ? cursor : encodeCursor(cursor);
}

function toFirst(value: unknown): string | number | null {
  if (value instanceof Date) return value.toISOString();
  return value as string | number | null;
}
