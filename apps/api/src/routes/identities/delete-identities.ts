import { deleteIdentitiesContract } from '@sightline/contracts/identities/delete-identities-contract';
import { deleteIdentities } from '@sightline/core/curation/delete-identities';
import { defineRoute } from '../../http/define-route.ts';

export const deleteIdentitiesRoute = defineRoute(deleteIdentitiesContract, {
  async handler(context, { body, scope, signal }) {
    const ids = body.fields.identity_ids;
    const { deleted } = await deleteIdentities(context, { scope, ids }, { signal });
    return { status: 200, body: { deleted } };
  },
});
