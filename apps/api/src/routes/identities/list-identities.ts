import { listIdentitiesContract } from '@sightline/contracts/identities/list-identities-contract';
import { defineRoute } from '../../http/define-route.ts';
import { readList } from '../../http/read-list.ts';
import { filterOf, IDENTITY_ORDER, pageOf } from './identity-query.ts';
import { presentIdentity } from './present-identity.ts';

export const listIdentitiesRoute = defineRoute(listIdentitiesContract, {
  async handler({ database, parts }, { query, scope, signal }) {
    const filter = filterOf(query);
    const body = await readList(
      {
        ...IDENTITY_ORDER,
        read: (after, limit) =>
          database.withScope(
            scope,
            ({ identities }) => identities.list(filter, { after, limit }),
            signal,
          ),
        present: presentIdentity,
      },
      { ...pageOf(query), inTurn: (read) => parts.run(scope, read, signal) },
    );
    return { status: 200, body };
  },
});
