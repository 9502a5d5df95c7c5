import { createIdentityContract } from '@sightline/contracts/identities/create-identity-contract';
import { createIdentity } from '@sightline/core/curation/create-identity';
import type { Identity } from '@sightline/core/identities/identity';
import { defineRoute } from '../../http/define-route.ts';

export const createIdentityRoute = defineRoute(createIdentityContract, {
  async handler(context, request) {
    const { body, scope, signal } = request;
    const { label, type, external_ref: externalRef } = body.fields;
    const identity = await createIdentity(
      context,
      { scope, label, type, externalRef },
      { signal, settle: request.settle(present) },
    );
    return present(identity);
  },
});

function present({ id, type, label, externalRef }: Identity) {
  return { status: 201, body: { id, type, label, external_ref: externalRef } } as const;
}
