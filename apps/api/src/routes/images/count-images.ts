import { countImagesContract } from '@sightline/contracts/images/count-images-contract';
import { defineRoute } from '../../http/define-route.ts';
import { toSourceFilter } from './to-source-filter.ts';

export const countImagesRoute = defineRoute(countImagesContract, {
  async handler({ database }, { query, scope, signal }) {
    const filter = toSourceFilter(query);
    const count = await database.withScope(scope, ({ sources }) => sources.count(filter), signal);
    return { status: 200, body: { count } };
  },
});
