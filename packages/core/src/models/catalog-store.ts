import type { EndingStep } from '../jobs/job-work.ts';
import type { Page } from '../store/page.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import type { ModelStatus } from './model-life.ts';
import type { FetchedModel } from './model-source.ts';

/** A model that the catalog names, or of which files were found. */
export interface ListedModel extends CatalogEntry {
  readonly id: number;
  /** SHA-256 (hex) over the components and their preprocessing; null until the first download. */
  readonly revision: string | null;
  /** Bytes of the download; null if there was none. */
  readonly sizeBytes: number | null;
  readonly status: ModelStatus;
  /** Why the last download failed; null if it did not. */
  readonly error: string | null;
  /** The job that downloads it, which may be of another environment; null unless it is being downloaded. */
  readonly downloadJobId: number | null;
}

/** The models of the installation, as every environment may see them. */
export interface ListedModelReader {
  /** By id, of ids above `after`. */
  list(page: { readonly after: number | null; readonly limit: number }): Promise<Page<ListedModel>>;
  byId(id: number): Promise<ListedModel | null>;
}

export interface DownloadWriter {
  /** The model, locked until the end of the transaction: no two downloads of it begin. */
  lock(id: number): Promise<ListedModel | null>;
  /**
   * Makes a model one that a job downloads. Its status follows the end of the job, however that ends: by
   * `pin`, by its failure, by a cancellation, or with its environment.
   *
   * @throws Error if a download cannot begin in its status
   */
  beginDownload(id: number, jobId: number): Promise<void>;
}

/** The catalog of the installation. Throws StoreUnavailable. */
export interface CatalogStore {
  /**
   * Brings the rows in line with the catalog: adds those that are missing, changes what the catalog tells, and
   * removes those that it does not name any more, unless they have files. A model of that name with files is the
   * one that the entry is about.
   */
  sync(entries: readonly CatalogEntry[]): Promise<void>;
  byId(id: number, signal?: AbortSignal): Promise<ListedModel | null>;
  /** Of all models that have a row, in whatever status. */
  revisions(signal?: AbortSignal): Promise<ReadonlySet<string>>;
  /**
   * Notes what was downloaded, in one transaction with the end of its job. A row of the same name and digest that
   * an archive brought, or a folder, has vectors: it stays instead of the row of the catalog.
   *
   * @throws ClaimLost from the step; ModelChanged if the row has another digest
   */
  pin(id: number, fetched: FetchedModel, end: EndingStep<FetchedModel>): Promise<void>;
}
