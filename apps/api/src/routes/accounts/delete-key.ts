import { deleteKeyContract } from '@sightline/contracts/accounts/delete-key-contract';
import { NotFound } from '@sightline/core/store/not-found';
import { defineRoute } from '../../http/define-route.ts';

export const deleteKeyRoute = defineRoute(deleteKeyContract, {
  async handler({ keys }, { path, session, requestId }) {
    if (!(await keys.revokeAsOwner({ accountId: session.account.id, requestId }, path.id))) {
      throw new NotFound('key', path.id);
    }
    return { status: 204, body: undefined };
  },
});
