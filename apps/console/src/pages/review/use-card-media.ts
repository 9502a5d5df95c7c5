import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useApi } from '../../client/api-context.tsx';
import type { Api } from '../../client/api.ts';
import type { Operation, OperationBody } from '../../client/operations.ts';
import type { Card } from './card.ts';

/** How many faces are ready before they are needed. */
const AHEAD = 10;
const FRESH_MS = 300_000;

type Image = OperationBody<'getImage'>;

export interface CardMedia {
  readonly image: (imageId: number) => Image | undefined;
  /** The crop of the cover of a person; null if there is none, or as long as it is not known. */
  readonly cover: (identityId: number) => string | null;
}

/** Reads the photos and covers of the given cards, and loads their pictures before they are shown. */
export function useCardMedia(cards: readonly Card[]): CardMedia {
  const ready = cards.slice(0, AHEAD + 1);
  const images = useRecords('getImage', [...new Set(ready.map(({ imageId }) => imageId))]);
  const people = ready.flatMap(({ candidates, current }) => [
    ...candidates.map(({ identityId }) => identityId),
    ...(current === null ? [] : [current.identityId]),
  ]);
  const identities = useRecords('getIdentity', [...new Set(people)]);
  usePreload([
    ...ready.map(({ cropUrl }) => `${cropUrl}?w=384`),
    ...[...images.values()].map(({ source_image_url: url }) => `${url}?w=768`),
    ...[...identities.values()].flatMap(({ thumbnail_url: url }) =>
      url === null ? [] : `${url}?w=96`,
    ),
  ]);
  return {
    image: (id) => images.get(id),
    cover: (id) => identities.get(id)?.thumbnail_url ?? null,
  };
}

type RecordOperation = Extract<Operation, 'getImage' | 'getIdentity'>;

/** Reads records by their ids. Those that are not there yet, or not any more, are absent. */
function useRecords<O extends RecordOperation>(
  operation: O,
  ids: readonly number[],
): ReadonlyMap<number, OperationBody<O>> {
  const api = useApi();
  return useQueries({
    queries: ids.map((id) => ({
      // These are many, and change with each decision, so they do not follow changes: a card lasts for seconds.
      queryKey: ['review media', api.environment, operation, id],
      queryFn: ({ signal }: { signal: AbortSignal }) => readRecord(api, operation, { id, signal }),
      staleTime: FRESH_MS,
      refetchOnWindowFocus: false,
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }, index) => (data === undefined ? [] : [[ids[index]!, data]])),
      ),
  });
}

function readRecord<O extends RecordOperation>(
  api: Api,
  operation: O,
  { id, signal }: { readonly id: number; readonly signal: AbortSignal },
): Promise<OperationBody<O>> {
  return api.read<RecordOperation>(operation, { path: { id }, signal }) as Promise<
    OperationBody<O>
  >;
}

/** Loads pictures, and keeps them as long as they are asked for, so that the browser shows them at once. */
function usePreload(urls: readonly string[]): void {
  const kept = useRef(new Map<string, HTMLImageElement>());
  const list = urls.join('\n');
  useEffect(() => {
    const pictures = kept.current;
    const wanted = new Set(list.split('\n').filter((url) => url !== ''));
    for (const url of pictures.keys()) if (!wanted.has(url)) pictures.delete(url);
    for (const url of wanted) {
      if (pictures.has(url)) continue;
      const picture = new Image();
      picture.src = url;
      pictures.set(url, picture);
    }
  }, [list]);
}
