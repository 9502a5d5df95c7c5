import { getIdentityContract } from '@sightline/contracts/identities/get-identity-contract';
import { activeFaceModel } from '@sightline/core/models/active-face-model';
import { NotFound } from '@sightline/core/store/not-found';
import { defineRoute } from '../../http/define-route.ts';
import { presentIdentityDetails } from './present-identity.ts';

export const getIdentityRoute = defineRoute(getIdentityContract, {
  async handler({ database, modelStore }, { path, scope, signal }) {
    const model = await activeFaceModel(modelStore, signal);
    const identity = await database.withScope(
      scope,
      ({ identities }) => identities.details(path.id, model?.id ?? null),
      signal,
    );
    if (identity === null) throw new NotFound('identity', path.id);
    return { status: 200, body: presentIdentityDetails(identity) };
  },
});
