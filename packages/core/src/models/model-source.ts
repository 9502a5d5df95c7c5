import type { ActiveModel, CommercialUse, ModelTask } from './model.ts';

export interface PublishedFile {
  /** `https://`, `http://`, `s3://<bucket>/<key>`, `file://`, or an absolute path. */
  readonly address: string;
  /** Hex, lower case; null if unknown before the download. */
  readonly sha256: string | null;
  /** Null if unknown before the download. */
  readonly bytes: number | null;
}

/**
 * A published model: ONNX files, with or without a `manifest.json`, or one ZIP file that contains them. The addresses
 * come from the built-in catalog or from the operator's configuration, never from a tenant.
 */
export interface PublishedModel {
  readonly name: string;
  readonly task: ModelTask;
  /** At least one. */
  readonly files: readonly PublishedFile[];
  /** Facts that the model's files may lack. A `manifest.json` in the files takes precedence. */
  readonly facts: ModelFacts;
  /** The required revision of the pack; if absent, any revision is accepted. */
  readonly revision?: string | undefined;
}

export interface ModelFacts {
  /** Null if the version should be the first digits of the revision. */
  readonly version: string | null;
  readonly license: string;
  readonly commercialUse: CommercialUse;
  /** One sentence; required if `commercialUse` is `unknown`. */
  readonly commercialUseReason: string | null;
}

/** The progress of a download, in bytes. Neither number ever decreases. */
export interface FetchProgress {
  readonly received: number;
  /** Null if the size of a file is unknown. */
  readonly total: number | null;
}

export interface FetchedModel {
  readonly model: ActiveModel;
  /** The size of the published files. */
  readonly bytes: number;
  /** The digest of the published file (hex); null if the model has several files. */
  readonly sha256: string | null;
  /** One sentence for each file that is not used. */
  readonly warnings: readonly string[];
}

export interface FetchOptions {
  readonly onProgress: (progress: FetchProgress) => void;
  readonly signal: AbortSignal;
}

/** Downloads published models into the store of packs. */
export interface ModelFetcher {
  /**
   * Downloads, checks and stores a model. If the process is killed, a call within one day resumes the download.
   *
   * @throws ModelFetchFailed; StoreUnavailable if the store of packs fails; the signal's reason on abort
   */
  fetch(model: PublishedModel, options: FetchOptions): Promise<FetchedModel>;

  /**
   * Whether the store has the whole pack and all its files match their digests.
   *
   * @throws StoreUnavailable; the signal's reason on abort
   */
  verify(revision: string, options: FetchOptions): Promise<boolean>;
}

/** A machine-readable reason why a download failed. */
export type FetchFailureReason =
  /** The source denies access, or the policy for outgoing requests forbids the address. */
  | 'access_denied'
  | 'not_found'
  | 'digest_mismatch'
  | 'revision_mismatch'
  | 'archive_invalid'
  | 'too_large'
  | 'pack_refused'
  | 'task_mismatch'
  /** The source is temporarily unavailable. A retry may succeed. */
  | 'source_unreachable'
  | 'no_space';

export interface FetchFailureOptions extends ErrorOptions {
  readonly reason: FetchFailureReason;
}

/** The download of a model failed. The message is a sentence for the operator and contains no secrets. */
export class ModelFetchFailed extends Error {
  override readonly name = 'ModelFetchFailed';
  readonly reason: FetchFailureReason;

  constructor(message: string, { reason, ...options }: FetchFailureOptions) {
    super(message, options);
    this.reason = reason;
  }
}
