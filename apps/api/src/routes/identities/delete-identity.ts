import { deleteIdentityContract } from '@sightline/contracts/identities/delete-identity-contract';
import { deleteIdentity } from '@sightline/core/curation/delete-identity';
import { defineRoute } from '../../http/define-route.ts';

export const deleteIdentityRoute = defineRoute(deleteIdentityContract, {
  async handler(context, { path, scope, signal }) {
    await deleteIdentity(context, { scope, id: path.id }, { signal });
    return { status: 204, body: undefined };
  },
});
