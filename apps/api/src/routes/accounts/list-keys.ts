import { listKeysContract } from '@sightline/contracts/accounts/list-keys-contract';
import { defineRoute } from '../../http/define-route.ts';
import { presentKey } from './present-key.ts';

export const listKeysRoute = defineRoute(listKeysContract, {
  handler: async ({ keys }, { session, signal }) => ({
    status: 200,
    body: { items: (await keys.listOfOwner(session.account.id, signal)).map(presentKey) },
  }),
});
