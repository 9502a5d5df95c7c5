import { getIdentityContract } from '@sightline/contracts/identities/get-identity-contract';
import { NotFound } from '@sightline/core/store/not-found';
import { defineRoute } from '../../http/define-route.ts';
import { presentIdentityDetails } from './present-identity.ts';

export const getIdentityRoute = defineRoute(getIdentityContract, {
  async handler({ database, modelStore }, { path, scope, signal }) {
    const active = await modelStore.active(signal);
    const modelId = active.find(({ task }) => task === 'face')?.id ?? null;
    const identity = await database.withScope(
      scope,
      ({ identities }) => identities.details(path.id, modelId),
      signal,
    );
    if (identity === null) throw new NotFound('identity', path.id);
    return { status: 200, body: presentIdentityDetails(identity) };
  },
});
