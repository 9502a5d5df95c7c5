import type { Tenant } from '@sightline/core/analysis/tenant';
import { HttpError } from '@sightline/platform/http/http-errors';
import type { Visitor } from '../../auth/authorizer.ts';
import type { ApiContext } from '../../context/api-context.ts';

/**
 * Runs work that may wait for the identity provider, unless too many sign-ins of the client or of all clients do.
 *
 * @throws HttpError overloaded; the errors of the work
 */
export async function waitForProvider<T>(
  { signOns }: Pick<ApiContext, 'signOns'>,
  { countedAddress }: Pick<Visitor, 'countedAddress'>,
  work: () => Promise<T>,
): Promise<T> {
  const client: Tenant = { environment: countedAddress, caller: countedAddress };
  if (signOns.take(client, 1) !== 'admitted') {
    const detail = 'Too many sign-ins wait for the identity provider; try again later.';
    throw new HttpError('overloaded', detail, { headers: { 'Retry-After': '1' } });
  }
  try {
    return await work();
  } finally {
    signOns.giveBack(client, 1);
  }
}
