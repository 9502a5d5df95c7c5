import type { EndingStep } from '../jobs/job-work.ts';
import type { Page } from '../store/page.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import type { ModelStatus } from './model-life.ts';
import type { FetchedModel } from './model-source.ts';

/** A model that the catalog names, or whose files a process has found. */
export interface ListedModel extends CatalogEntry {
  readonly id: number;
  /** SHA-256 (hex) of the model's components and their preprocessing; null until the first download. */
  readonly revision: string | null;
  /** The size of the download in bytes; null if the model was never downloaded. */
  readonly sizeBytes: number | null;
  readonly status: ModelStatus;
  /** Why the last download failed; null if it succeeded. */
  readonly error: string | null;
  /** The job that downloads the model now, possibly of another environment; null if no download runs. */
  readonly downloadJobId: number | null;
}

/** Reads the models of the installation. Every environment may see all of them. */
export interface ListedModelReader {
  /** A page of models with ids above `after`, sorted by id. */
  list(page: { readonly after: number | null; readonly limit: number }): Promise<Page<ListedModel>>;
  byId(id: number): Promise<ListedModel | null>;
}

export interface DownloadWriter {
  /** Reads a model and locks its row until the end of the transaction, so that only one download can begin. */
  lock(id: number): Promise<ListedModel | null>;
  /**
   * Marks a model as downloading. The end of the job sets the next status, whether the job succeeds (`pin`), fails, is
   * cancelled or is deleted with its environment.
   *
   * @throws Error if the model's status allows no download
   */
  beginDownload(id: number, jobId: number): Promise<void>;
}

/** Stores the catalog of the installation. All methods throw StoreUnavailable. */
export interface CatalogStore {
  /**
   * Inserts and updates the rows of the catalog's entries. Rows that the catalog no longer names are deleted, unless
   * the model has files. If a model with files already has an entry's name, its row is updated.
   */
  sync(entries: readonly CatalogEntry[]): Promise<void>;
  byId(id: number, signal?: AbortSignal): Promise<ListedModel | null>;
  /** The revisions of the installation's models that have a row, in any status. */
  revisions(signal?: AbortSignal): Promise<ReadonlySet<string>>;
  /**
   * Stores a finished download and ends its job, in one transaction. If a models folder already added a row
   * with the same name and digest, that row replaces the catalog's row, because embeddings refer to it.
   *
   * @throws ClaimLost from `end`; ModelChanged if the row has another digest
   */
  pin(id: number, fetched: FetchedModel, end: EndingStep<FetchedModel>): Promise<void>;
}
