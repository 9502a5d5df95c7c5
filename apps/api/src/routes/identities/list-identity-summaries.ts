import { listIdentitySummariesContract } from '@sightline/contracts/identities/list-identity-summaries-contract';
import { activeFaceModel } from '@sightline/core/models/active-face-model';
import { defineRoute } from '../../http/define-route.ts';
import { readList } from '../../http/read-list.ts';
import { filterOf, IDENTITY_ORDER, pageOf } from './identity-query.ts';
import { presentIdentityDetails } from './present-identity.ts';

export const listIdentitySummariesRoute = defineRoute(listIdentitySummariesContract, {
  async handler({ database, modelStore, parts }, { query, scope, signal }) {
    const filter = filterOf(query);
    const page = pageOf(query);
    const model = await activeFaceModel(modelStore, signal);
    let total = 0;
    const body = await readList(
      {
        ...IDENTITY_ORDER,
        read: (after, limit) =>
          database.withScope(
            scope,
            async ({ identities }) => {
              // In the transaction of the first page, so that the two agree.
              if (after === page.after) total = await identities.count(filter);
              const { items, hasMore } = await identities.list(filter, { after, limit });
              return { items: await identities.withDetails(items, model?.id ?? null), hasMore };
            },
            signal,
          ),
        present: presentIdentityDetails,
      },
      { ...page, inTurn: (read) => parts.run(scope, read, signal) },
      () => ({ total }),
    );
    return { status: 200, body };
  },
});
