import type { Page } from 'playwright-core';
import { freshPhoto } from '../../support/fixtures/draw-photo.ts';

const BUCKET_SIZE = 1000;
/** How long a picture takes, so that many of them are in flight. */
const PICTURE_MS = 200;

/** A list with very many rows. */
export interface ManyRows {
  readonly total: number;
  /** The path of the list; that of its buckets is below it. */
  readonly list: string;
  /** A part of the paths of the pictures. */
  readonly pictures: string;
  /** Returns a row by its index. */
  readonly row: (index: number) => object;
  /** Returns the value of a row by which the list is ordered. */
  readonly value: (index: number) => string;
}

/** The greatest numbers of requests of a page that were in flight at once. */
interface MostInFlight {
  pages: number;
  pictures: number;
}

/**
 * Answers as a service with very many rows would.
 *
 * @returns a function that reads the greatest numbers of requests in flight at once
 */
export async function answerMany(
  page: Page,
  { total, list, pictures, row, value }: ManyRows,
): Promise<() => Promise<MostInFlight>> {
  await page.addInitScript({ content: `{${countInFlight({ list, pictures })}}` });
  // A request that the page has aborted cannot be answered.
  const answer = (sent: Promise<void>) => sent.catch(() => undefined);
  const items = Array.from({ length: total / BUCKET_SIZE }, (_, bucket) => ({
    cursor: bucket === 0 ? null : String(bucket * BUCKET_SIZE),
    first: value(bucket * BUCKET_SIZE),
    count: BUCKET_SIZE,
  }));
  await page.route(`**${list}/buckets*`, (route) =>
    route.fulfill({ json: { items, total, as_of: new Date().toISOString() } }),
  );
  await page.route(`**${list}?*`, (route) => {
    const query = new URL(route.request().url()).searchParams;
    const start = Number(query.get('cursor') ?? 0);
    const end = Math.min(start + Number(query.get('limit')), total);
    const rows = Array.from({ length: end - start }, (_, offset) => row(start + offset));
    const next = end < total ? String(end) : null;
    const json = { items: rows, next_cursor: next, has_more: next !== null, total };
    return answer(route.fulfill({ json }));
  });
  const body = Buffer.from(await (await freshPhoto({ faces: ['Ada'] })).arrayBuffer());
  await page.route(`**${pictures}/**`, (route) =>
    setTimeout(() => void answer(route.fulfill({ body, contentType: 'image/jpeg' })), PICTURE_MS),
  );
  return () => page.evaluate(() => (globalThis as unknown as { most: MostInFlight }).most);
}

/** Counts in the page, because the ends of aborted requests reach the test late, or not at all. */
function countInFlight({ list, pictures }: Pick<ManyRows, 'list' | 'pictures'>): string {
  return `
    const most = { pages: 0, pictures: 0 };
    let pagesNow = 0;
    const send = globalThis.fetch;
    // A page of one row only counts the rows.
    const isPage = ({ pathname, searchParams }) =>
      pathname === ${JSON.stringify(list)} && searchParams.get('limit') !== '1';
    globalThis.most = most;
    globalThis.fetch = async (input, init) => {
      if (!isPage(new URL(input.url ?? input, location.origin))) return send(input, init);
      most.pages = Math.max(most.pages, ++pagesNow);
      return send(input, init).finally(() => (pagesNow -= 1));
    };
    const isLoading = ({ src, complete }) => src.includes(${JSON.stringify(pictures)}) && !complete;
    const countPictures = () => {
      most.pictures = Math.max(most.pictures, [...document.images].filter(isLoading).length);
      requestAnimationFrame(countPictures);
    };
    countPictures();
  `;
}
