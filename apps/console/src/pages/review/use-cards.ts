import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '../../client/api-context.tsx';
import type { Api } from '../../client/api.ts';
import { type Card, cardOfMismatch, cardOfQueued } from './card.ts';
import type { ReviewTab } from './review-search.ts';

const PAGE_SIZE = 50;

interface CardPage {
  readonly cards: readonly Card[];
  readonly next: string | null;
}

interface PageRequest {
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

const LOADERS: Readonly<Record<ReviewTab, (api: Api, request: PageRequest) => Promise<CardPage>>> =
  { suggested: loadSuggested, open: loadOpen, mismatches: loadMismatches };

export interface Cards {
  readonly cards: readonly Card[] | undefined;
  readonly error: Error | null;
  /** Whether more can be read, which is not being read yet. */
  readonly canReadMore: boolean;
  readonly isComplete: boolean;
  readonly readMore: () => void;
  readonly retry: () => void;
  /** Reads the list from its beginning. */
  readonly readAgain: () => Promise<void>;
}

/** The faces of a part of the page. They keep their order while the person works, whatever happens elsewhere. */
export function useCards(tab: ReviewTab): Cards {
  const api = useApi();
  const client = useQueryClient();
  // An undo reads everything again whose key begins with the environment, which would change the order.
  const queryKey = ['review cards', api.environment, tab];
  const query = useInfiniteQuery<
    CardPage,
    Error,
    InfiniteData<CardPage>,
    readonly unknown[],
    string | null
  >({
    queryKey,
    initialPageParam: null,
    queryFn: ({ pageParam, signal }) =>
      LOADERS[tab](api, { cursor: pageParam ?? undefined, signal }),
    getNextPageParam: ({ next }) => next,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const { data, error, hasNextPage, isFetching } = query;
  const cards = useMemo(() => data && withoutDuplicates(data.pages), [data]);
  return {
    cards,
    error,
    canReadMore: hasNextPage && !isFetching && error === null,
    isComplete: data !== undefined && !hasNextPage,
    readMore: () => void query.fetchNextPage(),
    retry: () => void (data === undefined ? query.refetch() : query.fetchNextPage()),
    readAgain: () => client.resetQueries({ queryKey }),
  };
}

/** A face whose values have changed between two requests may be on two pages. */
function withoutDuplicates(pages: readonly CardPage[]): readonly Card[] {
  const all = pages.flatMap(({ cards }) => cards);
  return [...new Map(all.map((card) => [card.face, card])).values()];
}

async function loadSuggested(api: Api, { cursor, signal }: PageRequest): Promise<CardPage> {
  const query = { has_suggestion: true, sort: 'similarity', limit: PAGE_SIZE, cursor } as const;
  const { items, next_cursor: next } = await api.read('listReviewQueue', { query, signal });
  return { cards: items.map(cardOfQueued), next };
}

/** The faces without a suggestion are the last ones by similarity. Buckets lead near the first of them. */
async function loadOpen(api: Api, { cursor, signal }: PageRequest): Promise<CardPage> {
  const sort = 'similarity' as const;
  const start = cursor ?? (await startOfOpen(api, signal));
  const query = { sort, limit: PAGE_SIZE, cursor: start };
  const { items, next_cursor: next } = await api.read('listReviewQueue', { query, signal });
  const open = items.filter(({ suggested_matches: matches }) => matches.length === 0);
  return { cards: open.map(cardOfQueued), next };
}

async function startOfOpen(api: Api, signal: AbortSignal): Promise<string | undefined> {
  const query = { sort: 'similarity' } as const;
  const { items } = await api.read('listQueueBuckets', { query, signal });
  return items.findLast(({ first }) => first !== null)?.cursor ?? undefined;
}

async function loadMismatches(api: Api, { cursor, signal }: PageRequest): Promise<CardPage> {
  const query = { limit: PAGE_SIZE, cursor };
  const { items, next_cursor: next } = await api.read('listMismatches', { query, signal });
  return { cards: items.map(cardOfMismatch), next };
}
