import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import type { RouteContract } from '@sightline/contracts/define-contract';
import type { Endpoint } from '../src/client/endpoint.ts';

/** Every endpoint, by operation id. */
export const ENDPOINTS: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  Object.entries<RouteContract>(API_CONTRACTS).map(
    ([name, { method, path, request, idempotent }]) => [
      name,
      {
        method,
        path,
        json: request.body?.maxBytes['application/json'] !== undefined,
        idempotent: idempotent === true,
      },
    ],
  ),
);
