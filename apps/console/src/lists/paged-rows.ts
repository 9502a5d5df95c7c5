import { type LoadPage, PAGE_ROWS, type PageRequest, type RowsPage } from './first-rows.ts';

const KEPT_PAGES = 40;
const MAX_IN_FLIGHT = 4;

/** A part of a list that can be read without the parts before it. */
export interface Bucket {
  /** With this cursor, the list begins with the first row of the bucket. */
  readonly cursor: string | null;
  readonly first: string | number | null;
  readonly count: number;
}

interface Range {
  readonly first: number;
  readonly last: number;
}

interface Page<Row> {
  readonly bucket: number;
  /** The index of its first row in the list. */
  start: number;
  size: number;
  /** Undefined until the page before it in its bucket has been read. */
  cursor: string | null | undefined;
  rows: readonly Row[] | null;
  /** When it was in view the last time, as a number that only grows. */
  usedAt: number;
  hasFailed: boolean;
}

/** The place where a bucket begins. */
export interface BucketStart {
  readonly index: number;
  readonly first: Bucket['first'];
}

/**
 * The rows of a list of any length, of which only the pages around the view are read. An index leads to its bucket, and
 * from there to its page; pages in the middle of a bucket are reached through those before them.
 */
export class PagedRows<Row extends { readonly id: number }> {
  readonly #load: LoadPage<Row>;
  readonly #inFlight = new Map<Page<Row>, AbortController>();
  readonly #listeners = new Set<() => void>();
  /** Ranges that a selection waits for, although they are not in view. */
  readonly #held = new Set<Range>();
  #buckets: readonly Bucket[] = [];
  #pages: Page<Row>[] | null = null;
  /** The rows before the last refresh, which are shown until the new ones are there. */
  #former: readonly Page<Row>[] = [];
  #view: Range | null = null;
  #clock = 0;
  #version = 0;
  #error: Error | null = null;
  /** The answer with the first rows, if it was requested before the buckets were known and is not used yet. */
  #early: Promise<RowsPage<Row>> | null = null;

  constructor(load: LoadPage<Row>) {
    this.#load = load;
  }

  /** The number of rows; null until the buckets are known. */
  get total(): number | null {
    return this.#pages === null ? null : endOf(this.#pages);
  }

  /** Changes whenever rows or their number have changed. */
  get version(): number {
    return this.#version;
  }

  /** The reason why rows in view are missing. */
  get error(): Error | null {
    return this.#error;
  }

  get bucketStarts(): readonly BucketStart[] {
    const starts = new Map<number, number>();
    for (const { bucket, start } of this.#pages ?? []) {
      if (!starts.has(bucket)) starts.set(bucket, start);
    }
    return [...starts].map(([bucket, index]) => ({ index, first: this.#buckets[bucket]!.first }));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Takes over a reading of the first rows that has begun before the buckets are known. */
  begin(first: Promise<RowsPage<Row>>): void {
    this.#early = first;
    // A reading that has failed before it was needed is repeated with the others.
    first.catch(() => {
      if (this.#early === first) this.#early = null;
    });
  }

  /** Takes over the buckets of a new reading. What is in view is read again. */
  refresh(buckets: readonly Bucket[]): void {
    this.#abortAll();
    if (this.#pages !== null) {
      this.#former = this.#pages;
      this.#early = null;
    }
    this.#buckets = buckets;
    this.#pages = buckets.flatMap(pagesOf<Row>);
    this.#error = null;
    place(this.#pages);
    this.#changed();
    this.#pump();
  }

  rowAt(index: number): Row | undefined {
    return rowIn(this.#pages ?? [], index) ?? rowIn(this.#former, index);
  }

  /** All rows that have been read and are kept. Of a row that is there twice, the last one is newer. */
  rowsAtHand(): readonly Row[] {
    return [...this.#former, ...(this.#pages ?? [])].flatMap(({ rows }) => rows ?? []);
  }

  /** Asks for the rows of the view. Requests for rows that have left it are aborted. */
  show(first: number, last: number): void {
    this.#view = { first, last };
    this.#pump();
  }

  /** Reads again what failed. */
  retry(): void {
    for (const page of this.#pages ?? []) page.hasFailed = false;
    this.#error = null;
    this.#changed();
    this.#pump();
  }

  /** Reads rows that need not be in view. Rows that cannot be read are left out. */
  async readRange(first: number, last: number): Promise<Row[]> {
    const range = { first, last };
    this.#held.add(range);
    this.#pump();
    await new Promise<void>((done) => {
      const check = () => {
        if (this.#missing(range).length > 0) return;
        stop();
        done();
      };
      const stop = this.subscribe(check);
      check();
    });
    this.#held.delete(range);
    const indexes = Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
    return indexes.flatMap((index) => this.rowAt(index) ?? []);
  }

  /** Takes out rows that were deleted, so that no place stays empty until the buckets are read again. */
  remove(ids: ReadonlySet<number>): void {
    this.#former = [];
    for (const page of this.#pages ?? []) {
      const left = page.rows?.filter(({ id }) => !ids.has(id));
      if (left === undefined || left.length === page.rows?.length) continue;
      page.size = left.length;
      page.rows = left;
    }
    place(this.#pages ?? []);
    this.#changed();
    this.#pump();
  }

  /** Aborts what is in flight. */
  stop(): void {
    this.#view = null;
    this.#abortAll();
  }

  #pump(): void {
    const wanted = new Set(
      [this.#view, ...this.#held].flatMap((range) => (range === null ? [] : this.#missing(range))),
    );
    const loadable = new Set([...wanted].map((page) => this.#reachable(page)));
    for (const [page, controller] of this.#inFlight) {
      if (loadable.has(page)) continue;
      controller.abort();
      this.#inFlight.delete(page);
    }
    if (wanted.size === 0) this.#former = [];
    for (const page of loadable) {
      if (this.#inFlight.size >= MAX_IN_FLIGHT) return;
      if (!this.#inFlight.has(page)) void this.#read(page);
    }
  }

  /** The pages of a range that are still to be read. */
  #missing({ first, last }: Range): Page<Row>[] {
    const pages = this.#pages ?? [];
    const missing: Page<Row>[] = [];
    for (let at = pageAt(pages, first); at < pages.length && pages[at]!.start <= last; at++) {
      const page = pages[at]!;
      page.usedAt = ++this.#clock;
      if (page.size > 0 && page.rows === null && !page.hasFailed) missing.push(page);
    }
    return missing;
  }

  /** The nearest page before it whose cursor is known; the page itself if its own is. */
  #reachable(page: Page<Row>): Page<Row> {
    const pages = this.#pages!;
    let at = pages.indexOf(page);
    while (pages[at]!.cursor === undefined) at -= 1;
    return pages[at]!;
  }

  async #read(page: Page<Row>): Promise<void> {
    const controller = new AbortController();
    this.#inFlight.set(page, controller);
    const { signal } = controller;
    try {
      const answer = await (this.#takeEarly(page) ?? this.#load(this.#requestOf(page, signal)));
      if (signal.aborted) return;
      this.#store(page, answer);
    } catch (error) {
      if (signal.aborted) return;
      this.#fail(page, error instanceof Error ? error : new Error(String(error)));
    }
    this.#inFlight.delete(page);
    this.#changed();
    this.#pump();
  }

  #takeEarly(page: Page<Row>): Promise<RowsPage<Row>> | null {
    const early = page.start === 0 ? this.#early : null;
    this.#early = null;
    return early;
  }

  #requestOf(page: Page<Row>, signal: AbortSignal): PageRequest {
    const isLast = page === this.#pages!.at(-1);
    return { cursor: page.cursor ?? undefined, limit: isLast ? PAGE_ROWS : page.size, signal };
  }

  #fail(page: Page<Row>, error: Error): void {
    this.#error = error;
    page.hasFailed = true;
    // The pages behind it cannot be reached either.
    for (const each of this.#pages ?? []) {
      if (each.bucket === page.bucket && each.cursor === undefined) each.hasFailed = true;
    }
  }

  #store(page: Page<Row>, { items, next_cursor: next, has_more: hasMore }: RowsPage<Row>): void {
    const pages = this.#pages!;
    const at = pages.indexOf(page);
    const following = pages[at + 1];
    const isLastOfBucket = following?.bucket !== page.bucket;
    // The buckets may be some seconds older than the rows, and the end of the list is known only with its last page.
    if (!hasMore) {
      page.size = items.length;
      pages.length = at + 1;
    } else if (following === undefined) {
      page.size = items.length;
      pages.push({ ...emptyPage(page.bucket), cursor: next, size: 1 });
    } else if (!isLastOfBucket) {
      following.cursor = next;
    }
    page.rows = items.slice(0, page.size);
    place(pages);
    this.#evict();
  }

  #evict(): void {
    const kept = this.#pages!.filter(({ rows }) => rows !== null);
    const oldest = kept.toSorted((one, other) => one.usedAt - other.usedAt);
    for (const page of oldest.slice(0, Math.max(0, kept.length - KEPT_PAGES))) page.rows = null;
  }

  #abortAll(): void {
    for (const controller of this.#inFlight.values()) controller.abort();
    this.#inFlight.clear();
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}

function emptyPage(bucket: number) {
  return { bucket, start: 0, size: 0, rows: null, usedAt: 0, hasFailed: false };
}

function pagesOf<Row>({ cursor, count }: Bucket, bucket: number): Page<Row>[] {
  return Array.from({ length: Math.ceil(count / PAGE_ROWS) }, (_, page) => ({
    ...emptyPage(bucket),
    size: Math.min(PAGE_ROWS, count - page * PAGE_ROWS),
    cursor: page === 0 ? cursor : undefined,
  }));
}

/** Sets where each page begins. */
function place(pages: readonly Page<unknown>[]): void {
  let start = 0;
  for (const page of pages) {
    page.start = start;
    start += page.size;
  }
}

function endOf(pages: readonly Page<unknown>[]): number {
  const last = pages.at(-1);
  return last === undefined ? 0 : last.start + last.size;
}

/** The position of the page with a row; that of the last page for rows behind the end. */
function pageAt(pages: readonly Page<unknown>[], index: number): number {
  let [low, high] = [0, pages.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (pages[middle]!.start <= index) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

function rowIn<Row>(pages: readonly Page<Row>[], index: number): Row | undefined {
  const page = pages[pageAt(pages, index)];
  return page?.rows?.[index - page.start];
}
