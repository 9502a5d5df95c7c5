import { HttpError } from '@sightline/platform/http/http-errors';
import type { z } from 'zod';

export type CursorPart = string | number | null;

export function encodeCursor(position: readonly CursorPart[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * Returns the position that an opaque cursor stands for, or null if there is no cursor.
 *
 * @throws HttpError invalid_request for a text that is not a cursor of this list
 */
export function decodeCursor<S extends z.ZodType>(
  schema: S,
  cursor: string | undefined,
): z.output<S> | null {
  return cursor === undefined
    ? null
    : positionOf(schema, parse(Buffer.from(cursor, 'base64url').toString()));
}

/**
 * Returns the position that a cursor of a documented form stands for, or null if there is no cursor.
 *
 * @param schema the schema of the text
 * @throws HttpError invalid_request for a text that is not a cursor of this list
 */
export function readCursor<S extends z.ZodType>(
  schema: S,
  cursor: string | undefined,
): z.output<S> | null {
  return cursor === undefined ? null : positionOf(schema, cursor);
}

function positionOf<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const message = 'this is not a cursor of this list';
  throw new HttpError('invalid_request', `cursor: ${message}.`, {
    errors: [{ path: 'cursor', message }],
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
