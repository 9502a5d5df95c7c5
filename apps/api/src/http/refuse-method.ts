import type { HttpMethod } from '@sightline/contracts/define-contract';
import { HttpError } from '@sightline/platform/http/http-errors';
import type { RequestHandler } from 'express';

/** Refuses requests of a path with other methods than these. */
export function refuseMethod(methods: readonly HttpMethod[]): RequestHandler {
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const headers = { Allow: [...allow, 'OPTIONS'].join(', ') };
  return (request) => {
    const detail = `${request.method} is not a method of this path.`;
    throw new HttpError('method_not_allowed', detail, { headers });
  };
}
