import type { RequestHandler } from 'express';
import { FairShares } from '../resilience/fair-shares.ts';
import { addressOf, holderAt, type TrustedProxies } from './client-address.ts';
import { HttpError } from './http-errors.ts';

export interface ForwardedOptions {
  /** The maximum number of requests of all clients behind proxies. */
  readonly most: number;
  /**
   * Called once, with the address of a peer that names a client although it is no trusted proxy. It may be a proxy that the
   * operator has forgotten, behind which all clients share the limits of one address.
   */
  readonly untrusted?: (peer: string) => void;
}

/**
 * Gives each client behind a trusted proxy a fair share of the requests in progress, as `ConnectionLimits` gives other
 * clients a share of the connections.
 */
export function limitForwarded(
  trusted: TrustedProxies,
  { most, untrusted }: ForwardedOptions,
): RequestHandler {
  const shares = new FairShares(most);
  let isReported = false;
  return (request, response, next) => {
    const client = trusted.clientOf(request);
    const peer = addressOf(request.socket.remoteAddress ?? '');
    const namesClient = request.headers['x-forwarded-for'] !== undefined;
    if (!isReported && namesClient && peer !== null && !trusted.includes(peer)) {
      isReported = true;
      untrusted?.(peer);
    }
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
