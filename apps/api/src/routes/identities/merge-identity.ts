import { mergeIdentityContract } from '@sightline/contracts/identities/merge-identity-contract';
import { mergeIdentity, type MergedIdentity } from '@sightline/core/curation/merge-identity';
import { defineRoute } from '../../http/define-route.ts';

export const mergeIdentityRoute = defineRoute(mergeIdentityContract, {
  async handler(context, request) {
    const { path, body, scope, signal } = request;
    const merged = await mergeIdentity(
      context,
      { scope, id: path.id, into: body.fields.into },
      { signal, settle: request.settle(present) },
    );
    return present(merged);
  },
});

function present({ mergedInto, deleted }: MergedIdentity) {
  return { status: 200, body: { merged_into: mergedInto, deleted } } as const;
}
