import type { ActiveModel, CommercialUse, ModelTask } from './model.ts';

/** A file that a model is published as. */
export interface PublishedFile {
  /** `https://`, `http://`, `s3://<bucket>/<key>`, `file://`, or an absolute path. */
  readonly address: string;
  /** Hex, lower case; null if it is not known before the download. */
  readonly sha256: string | null;
  /** Null if it is not known before the download. */
  readonly bytes: number | null;
}

/**
 * A model as it is published: ONNX files, with or without a `manifest.json`, or one ZIP file of them. Its
 * addresses come from the product or from who runs it, never from a tenant.
 */
export interface PublishedModel {
  /** Name of the pack. */
  readonly name: string;
  readonly task: ModelTask;
  /** At least one. */
  readonly files: readonly PublishedFile[];
  /** Of a model whose files do not tell their license; a `manifest.json` that does has the last word. */
  readonly facts: ModelFacts;
  /** The revision that the pack has to have; absent: any. */
  readonly revision?: string | undefined;
}

export interface ModelFacts {
  /** Null: the beginning of the revision. */
  readonly version: string | null;
  readonly license: string;
  readonly commercialUse: CommercialUse;
  /** One sentence; required if the use is unknown. */
  readonly commercialUseReason: string | null;
}

/** How far a download is, in bytes. Neither number ever falls. */
export interface FetchProgress {
  readonly received: number;
  /** Null if a file does not tell its size. */
  readonly total: number | null;
}

/** A model that is in the store of packs. */
export interface FetchedModel {
  readonly model: ActiveModel;
  /** Bytes of the published files. */
  readonly bytes: number;
  /** Of the published file (hex); null if there are several. */
  readonly sha256: string | null;
  /** A sentence about each file that is not used. */
  readonly warnings: readonly string[];
}

export interface FetchOptions {
  readonly onProgress: (progress: FetchProgress) => void;
  readonly signal: AbortSignal;
}

/** Gets models from where they are published into the store of packs. */
export interface ModelFetcher {
  /**
   * Downloads, checks and stores a model. What a process that was killed has received is used by the next
   * call, for a day.
   *
   * @throws ModelFetchFailed; StoreUnavailable if the store of packs fails; the signal's reason on abort
   */
  fetch(model: PublishedModel, options: FetchOptions): Promise<FetchedModel>;

  /**
   * Whether a pack is in the store with exactly the bytes of its digests.
   *
   * @throws StoreUnavailable; the signal's reason on abort
   */
  verify(revision: string, options: FetchOptions): Promise<boolean>;
}

/** Why a model cannot be had, as a word for programs. */
export type FetchFailureReason =
  /** The source refuses who asks, or must not be asked. */
  | 'access_denied'
  | 'not_found'
  | 'digest_mismatch'
  | 'revision_mismatch'
  | 'archive_invalid'
  | 'too_large'
  | 'pack_refused'
  | 'task_mismatch'
  /** The source fails, and may not do so later. */
  | 'source_unreachable'
  | 'no_space';

export interface FetchFailureOptions extends ErrorOptions {
  readonly reason: FetchFailureReason;
}

/** A model cannot be had. The message is a sentence without secrets, for who runs the installation. */
export class ModelFetchFailed extends Error {
  override readonly name = 'ModelFetchFailed';
  readonly reason: FetchFailureReason;

  constructor(message: string, { reason, ...options }: FetchFailureOptions) {
    super(message, options);
    this.reason = reason;
  }
}
