import { HttpError } from '@sightline/platform/http/http-errors';
import type { z } from 'zod';

/**
 * Parses the input, and drops members that the schema does not know.
 *
 * @throws HttpError invalid_request, which names each invalid part
 */
export function validateInput<S extends z.ZodType>(schema: S, input: unknown): z.output<S> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const errors = result.error.issues.map(({ path, message }) => ({
    path: path.join('.'),
    message,
  }));
  const [first] = errors;
  const detail = first?.path ? `${first.path}: ${first.message}.` : 'The input is invalid.';
  throw new HttpError('invalid_request', detail, { errors });
}
