import type { QueryClient } from '@tanstack/react-query';
import type { Api } from '../../client/api.ts';
import type { OperationBody } from '../../client/operations.ts';
import { queryKey } from '../../client/query-key.ts';
import { readQuery } from '../../client/read-query.ts';
import { firstRowsQuery, type PageRequest } from '../../lists/first-rows.ts';
import { preloadList } from '../../lists/preload-list.ts';
import type { PeopleSearch } from './people-search.ts';

export type Person = OperationBody<'listIdentitySummaries'>['items'][number];

/** The reads of the people that match a search. */
export function peopleList(api: Api, { q, sort, waiting }: PeopleSearch) {
  const query = { type: 'face', q, sort, has_pending: waiting } as const;
  return {
    query,
    /** The list has its number in each answer, so the smallest page counts it. */
    counting: { query: { ...query, limit: 1 } },
    queryKey: queryKey(api, 'listIdentitySummaries', { query }),
    load: ({ cursor, limit, signal }: PageRequest) =>
      api.read('listIdentitySummaries', { query: { ...query, cursor, limit }, signal }),
  };
}

/** The address of a person's picture in the list; null if there is none. */
export function coverOf({ thumbnail_url: url }: Person): string | null {
  return url === null ? null : `${url}?w=192`;
}

export function preloadPeople(client: QueryClient, api: Api, search: PeopleSearch): void {
  const list = peopleList(api, search);
  preloadList(client, {
    counts: [
      readQuery(api, 'listIdentitySummaries', list.counting),
      readQuery(api, 'listIdentityBuckets', { query: list.query }),
    ],
    first: firstRowsQuery(list.queryKey, list.load),
    pictureOf: coverOf,
  });
}
