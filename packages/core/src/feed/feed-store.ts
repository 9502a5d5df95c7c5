import type { Page } from '../store/page.ts';
import type { FeedEntry, NewFeedEntry } from './feed-entry.ts';

export interface FeedReader {
  /** Returns the id of the last entry; 0 if there is none. */
  head(): Promise<number>;
  /** Returns entries with a higher id, ascending by id. */
  after(id: number, limit: number): Promise<Page<FeedEntry>>;
}

export interface FeedWriter {
  /** Appends entries to the feeds of their environments, in this order. */
  append(entries: readonly NewFeedEntry[]): Promise<void>;
}
