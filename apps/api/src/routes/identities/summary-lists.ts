import type { Stores } from '@sightline/core/database/database';
import type { Identity } from '@sightline/core/identities/identity';
import type {
  IdentityFilter,
  IdentityOrder,
  IdentityPlace,
  IdentityPosition,
} from '@sightline/core/identities/identity-store';
import type { Page } from '@sightline/core/store/page';
import type { ListOrder } from '../../http/answer-list.ts';
import { BY_LABEL } from './identity-query.ts';
import { PLACE_ORDERS, type SummaryQuery } from './summary-order.ts';

interface Placed<Position> {
  readonly identity: Identity;
  readonly position: Position;
}

/** A way to read identities in an order. */
export interface SummaryList<Position> {
  readonly order: Omit<ListOrder<never, Position>, 'positionOf'>;
  readonly page: (
    stores: Stores,
    after: Position | null,
    limit: number,
  ) => Promise<Page<Placed<Position>>>;
  readonly ids: (stores: Stores, after: Position | null) => Promise<readonly number[]>;
}

/** Whether a list needs the identities alone, and not their detections. */
export function isByLabel(query: SummaryQuery): boolean {
  const { sort, min_detections: minDetections = 0, has_pending: hasPending } = query;
  return sort === 'label' && minDetections === 0 && hasPending !== true;
}

export function byLabel(filter: IdentityFilter): SummaryList<IdentityPosition> {
  return {
    order: BY_LABEL,
    page: async ({ identities }, after, limit) => {
      const { items, hasMore } = await identities.list(filter, { after, limit });
      return { items: items.map((identity) => ({ identity, position: identity })), hasMore };
    },
    ids: ({ identities }, after) => identities.ids(filter, after),
  };
}

export function byPlace(filter: IdentityFilter, order: IdentityOrder): SummaryList<IdentityPlace> {
  return {
    order: PLACE_ORDERS[order],
    page: async ({ identities }, after, limit) => {
      const { items, hasMore } = await identities.places(filter, { order, after, limit });
      const found = await identities.byIds(items.map(({ id }) => id));
      const byId = new Map(found.map((identity) => [identity.id, identity]));
      // Both reads are of one snapshot, so each place has its identity.
      return {
        items: items.map((position) => ({ identity: byId.get(position.id)!, position })),
        hasMore,
      };
    },
    ids: async ({ identities }, after) => {
      const { items } = await identities.places(filter, { order, after, limit: null });
      return items.map(({ id }) => id);
    },
  };
}
