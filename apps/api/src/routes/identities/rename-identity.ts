import { renameIdentityContract } from '@sightline/contracts/identities/rename-identity-contract';
import { renameIdentity } from '@sightline/core/curation/rename-identity';
import { defineRoute } from '../../http/define-route.ts';

export const renameIdentityRoute = defineRoute(renameIdentityContract, {
  async handler(context, { path, body, scope, signal }) {
    const { label } = body.fields;
    const renamed = await renameIdentity(context, { scope, id: path.id, label }, { signal });
    return { status: 200, body: renamed };
  },
});
