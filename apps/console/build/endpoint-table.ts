import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import type { RouteContract } from '@sightline/contracts/define-contract';
import type { Endpoint } from '../src/client/endpoint.ts';

/** Every endpoint, by operation id. */
export const ENDPOINTS: Readonly<Record<string, Endpoint>> = Object.fromEntries(
  Object.entries<RouteContract>(API_CONTRACTS).map(
    ([name, { method, path, request, responses, idempotent }]) => [
      name,
      {
        method,
        path,
        json: request.body?.maxBytes['application/json'] !== undefined,
        answersJson: answersJson(responses),
        idempotent: idempotent === true,
      },
    ],
  ),
);

function answersJson(responses: RouteContract['responses']): boolean {
  const bodies = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { mediaType }]) => mediaType ?? []);
  return bodies.length > 0 && bodies.every((type) => type === 'application/json');
}
