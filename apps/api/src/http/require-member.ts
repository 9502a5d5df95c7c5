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
  const message = `${name} is required for ${action}`;
  throw new HttpError('invalid_request', `The body is invalid: ${message}.`, {
    errors: [{ path: name, message }],
  });
}
