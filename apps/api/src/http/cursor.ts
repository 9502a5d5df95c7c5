import { HttpError } from '@sightline/platform/http/http-errors';
import type { z } from 'zod';

/** An opaque text for a place in a list. */
export function encodeCursor(place: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/**
 * The place that a cursor stands for; null without a cursor.
 *
 * @throws HttpError invalid_request for a text that is no cursor of this list
 */
export function decodeCursor<S extends z.ZodType>(
  schema: S,
  cursor: string | undefined,
): z.output<S> | null {
  if (cursor === undefined) return null;
  const result = schema.safeParse(parse(Buffer.from(cursor, 'base64url').toString()));
  if (result.success) return result.data;
  const message = 'this is no cursor of this list';
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
