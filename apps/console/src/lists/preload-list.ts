import type { QueryClient, QueryExecuteOptions } from '@tanstack/react-query';
import type { RowsPage } from './first-rows.ts';

/** As many pictures as a list loads at once. */
const MOST_PICTURES = 24;

export interface ListReads<Row> {
  /** The readings of the number of rows and of the buckets, which stay until the list is read again. */
  readonly counts: readonly QueryExecuteOptions[];
  readonly first: QueryExecuteOptions<RowsPage<Row>>;
  /** The address of a row's picture; null if it has none. */
  readonly pictureOf: (row: Row) => string | null;
}

/** The pictures that are being loaded, which browsers may give up if nothing refers to them. */
const loading = new Set<HTMLImageElement>();

/** Reads what a list shows first while the code of its page is loaded and the frame around it is drawn. */
export function preloadList<Row>(
  client: QueryClient,
  { counts, first, pictureOf }: ListReads<Row>,
): void {
  for (const count of counts) client.query({ ...count, staleTime: Infinity }).catch(ignore);
  client
    .query(first)
    .then(({ items }) => {
      const urls = items.flatMap((row) => pictureOf(row) ?? []);
      urls.slice(0, MOST_PICTURES).forEach(loadPicture);
    })
    .catch(ignore);
}

function loadPicture(url: string): void {
  const picture = new Image();
  const end = () => loading.delete(picture);
  picture.onload = end;
  picture.onerror = end;
  picture.src = url;
  loading.add(picture);
}

/** The page itself asks again for what has failed, and says why. */
function ignore(): void {
  return undefined;
}
