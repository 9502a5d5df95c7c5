import { setIdentityRefContract } from '@sightline/contracts/identities/set-identity-ref-contract';
import { setIdentityRef } from '@sightline/core/curation/set-identity-ref';
import { defineRoute } from '../../http/define-route.ts';

export const setIdentityRefRoute = defineRoute(setIdentityRefContract, {
  async handler(context, { path, body, scope, signal }) {
    const change = { scope, id: path.id, externalRef: body.fields.external_ref };
    const { id, externalRef } = await setIdentityRef(context, change, { signal });
    return { status: 200, body: { id, external_ref: externalRef } };
  },
});
