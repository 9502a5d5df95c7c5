import { useRead } from '../../client/api-context.tsx';
import type { ImagesSearch } from '../images/images-search.ts';
import { after, neighborQueries } from './neighbors.ts';
import type { Image } from './use-decisions.ts';

/** The ids of the images before and after one in its list; null at the ends. */
export function useNeighbors(image: Image, search: ImagesSearch) {
  const { previous, next } = neighborQueries(image, search);
  return { previous: useNeighbor(image.id, previous), next: useNeighbor(image.id, next) };
}

function useNeighbor(id: number, query: ReturnType<typeof neighborQueries>['previous']) {
  const images = useRead(
    'listImages',
    { query: query ?? {} },
    { enabled: query !== null, staleTime: 30_000 },
  );
  return after(
    id,
    images.data?.items.map((each) => each.id),
  );
}
