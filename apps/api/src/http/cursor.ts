import { HttpError } from '@sightline/platform/http/http-errors';
import type { z } from 'zod';

/** An opaque text for a position in a list. */
export function encodeCursor(position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/**
 * The position that a cursor stands for; null without a cursor.
 *
 * @throws HttpError invalid_request for a text that is not a cursor of this list
 */
export function decodeCursor<S extends z.ZodType>(
  schema: S,
  cursor: string | undefined,
): z.output<S> | null {
  if (cursor === undefined) return null;
  const result = schema.safeParse(parse(Buffer.from(cursor, 'base64url').toString()));
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
