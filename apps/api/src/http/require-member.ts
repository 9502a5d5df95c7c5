import { HttpError } from '@sightline/platform/http/http-errors';

/**
 * Returns a member of a body that only some actions need.
 *
 * @throws HttpError invalid_request if it is absent
 */
export function requireMember<Name extends string>(
  fields: Readonly<Partial<Record<Name, number | undefined>>>,
  name: Name,
  action: string,
): number {
  const value = fields[name];
  if (value !== undefined) return value;
  throw invalidMember(name, `${name} is required for ${action}`);
}

/** The error of a member, of the body or the query, that does not fit the others. */
export function invalidMember(path: string, message: string): HttpError {
  return new HttpError('invalid_request', `The request is invalid: ${message}.`, {
    errors: [{ path, message }],
  });
}
