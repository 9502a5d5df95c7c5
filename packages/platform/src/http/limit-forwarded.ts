import type { RequestHandler } from 'express';
import { FairShares } from '../resilience/fair-shares.ts';
import { holderAt, type TrustedProxies } from './client-address.ts';
import { HttpError } from './http-errors.ts';

/**
 * Gives each client behind a trusted proxy a fair share of the requests in progress, as `ConnectionLimits` gives other
 * clients a share of the connections.
 *
 * @param most the maximum number of requests of all clients behind proxies
 */
export function limitForwarded(trusted: TrustedProxies, most: number): RequestHandler {
  const shares = new FairShares(most);
  return (request, response, next) => {
    const client = trusted.clientOf(request);
    if (client !== null) {
      const holder = holderAt(client);
      if (shares.take(holder, 1) !== 'admitted') throw tooManyRequests();
      response.once('close', () => shares.giveBack(holder, 1));
    }
    next();
  };
}

function tooManyRequests(): HttpError {
  const detail = 'Too many requests from your address are in progress; try again later.';
  return new HttpError('overloaded', detail, { headers: { 'Retry-After': '1' } });
}
