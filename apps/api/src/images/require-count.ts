import { HttpError } from '@sightline/platform/http/http-errors';

interface CountRule {
  readonly path: string;
  readonly least: number;
  readonly most: number;
  /** The end of the error message, which says what to do instead. */
  readonly hint?: string;
}

/** @throws HttpError invalid_request if a request has too few or too many images */
export function requireCount(count: number, { path, least, most, hint = '' }: CountRule): void {
  if (count >= least && count <= most) return;
  const message = `between ${least} and ${most} images are expected, ${count} were given${hint}`;
  throw new HttpError('invalid_request', `${path}: ${message}.`, { errors: [{ path, message }] });
}
