import type { QueryClient } from '@tanstack/react-query';
import type { Api } from '../../client/api.ts';
import type { OperationBody } from '../../client/operations.ts';
import { queryKey } from '../../client/query-key.ts';
import { readQuery } from '../../client/read-query.ts';
import { firstRowsQuery, type PageRequest } from '../../lists/first-rows.ts';
import { preloadList } from '../../lists/preload-list.ts';
import { type ImagesSearch, toFilter } from './images-search.ts';

export type ImageRow = OperationBody<'listImages'>['items'][number];

/** The reads of the images that match a search. */
export function imageList(api: Api, search: ImagesSearch) {
  const filter = toFilter(search);
  const query = { ...filter, sort: search.sort ?? 'newest' };
  return {
    filter,
    counting: { query: filter },
    query,
    queryKey: queryKey(api, 'listImages', { query }),
    load: ({ cursor, limit, signal }: PageRequest) =>
      api.read('listImages', { query: { ...query, cursor, limit }, signal }),
  };
}

/** The address of an image's picture in the list. */
export function previewOf({ source_image_url: url }: ImageRow): string {
  return `${url}?w=384`;
}

export function preloadImages(client: QueryClient, api: Api, search: ImagesSearch): void {
  const list = imageList(api, search);
  preloadList(client, {
    counts: [
      readQuery(api, 'countImages', list.counting),
      readQuery(api, 'listImageBuckets', { query: list.query }),
    ],
    first: firstRowsQuery(list.queryKey, list.load),
    pictureOf: previewOf,
  });
}
