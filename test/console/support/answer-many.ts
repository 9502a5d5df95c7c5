import type { Page, Request } from 'playwright-core';
import { freshPhoto } from '../../support/fixtures/draw-photo.ts';

const BUCKET_SIZE = 1000;
/** Ends of requests are reported later than they happen, so pictures take longer than the reports. */
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

/** Answers as a service with very many rows would, and returns the greatest numbers of requests in flight at once. */
export async function answerMany(page: Page, { total, list, pictures, row, value }: ManyRows) {
  const most = { pages: 0, pictures: 0 };
  const now = { pages: 0, pictures: 0 };
  const kindOf = (request: Request): keyof typeof now | null => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.includes(pictures)) return 'pictures';
    // A page of one row only counts the rows.
    return pathname === list && searchParams.get('limit') !== '1' ? 'pages' : null;
  };
  page.on('request', (request) => {
    const kind = kindOf(request);
    if (kind === null) return;
    now[kind] += 1;
    most[kind] = Math.max(most[kind], now[kind]);
  });
  const ended = (request: Request) => {
    const kind = kindOf(request);
    if (kind !== null) now[kind] -= 1;
  };
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
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
  return most;
}
