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
    const [model, total] = await Promise.all([
      activeFaceModel(modelStore, signal),
      database.withScope(scope, ({ identities }) => identities.count(filter), signal),
    ]);
    const body = await readList(
      {
        ...IDENTITY_ORDER,
        read: (after, limit) =>
          database.withScope(
            scope,
            async ({ identities }) => {
              const { items, hasMore } = await identities.list(filter, { after, limit });
              return { items: await identities.withDetails(items, model?.id ?? null), hasMore };
            },
            signal,
          ),
        present: presentIdentityDetails,
      },
      { ...page, inTurn: (read) => parts.run(scope, read, signal) },
      { total },
    );
    return { status: 200, body };
  },
});
