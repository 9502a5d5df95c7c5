import type { Page } from '../store/page.ts';
import type { FeedEntry, NewFeedEntry } from './feed-entry.ts';

/** The change feed of an environment. */
export interface FeedReader {
  /** Entries of higher ids than this, ascending. */
  after(id: number, limit: number): Promise<Page<FeedEntry>>;
}

export interface FeedWriter {
  /** Appends entries to the feeds of their environments, in this order. */
  append(entries: readonly NewFeedEntry[]): Promise<void>;
}
