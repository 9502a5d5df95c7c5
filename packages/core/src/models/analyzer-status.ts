import type { ActiveModel, ExecutionProvider, ModelTask } from './model.ts';

export interface AnalyzerStatus {
  readonly ready: boolean;
  readonly provider: ExecutionProvider;
  /** The models that serve a request which names no model; at most one per task. */
  readonly models: readonly ActiveModel[];
  /** The desired models, and other models that are still loaded. */
  readonly report: readonly ReportedModel[];
  /** Models whose files are on the disk of the process; absent if unknown. */
  readonly found?: readonly ActiveModel[] | undefined;
  /** Whether the process has a GPU, even if no model uses it; absent if unknown. */
  readonly hasGpu?: boolean | undefined;
}

/** The revisions of the models that a request names. An absent slot is not requested. */
export interface NamedModels {
  readonly face?: string | undefined;
  readonly object?: string | undefined;
}

/**
 * The state of a model in a process. `fetching`: its files are being downloaded. `disk`: its files are on the disk.
 * `warming`: it is being loaded. `warm`: it serves requests. `failed`: the download or the load failed and is retried.
 */
export type ReportedState = 'fetching' | 'disk' | 'warming' | 'warm' | 'failed';

export interface ReportedModel {
  readonly name: string;
  readonly task: ModelTask;
  readonly revision: string;
  readonly state: ReportedState;
  /** Why the model could not be downloaded or loaded; null unless the state is `failed`. */
  readonly error: ReportedError | null;
  /** The number of worker threads that died while they ran the model, since it became warm. */
  readonly deaths: number;
  /** Seconds since a request last named the model; null if no request has. */
  readonly lastRequestedSecondsAgo: number | null;
}

export interface ReportedError {
  /** The reason for a condition of a custom resource, such as `LoadFailed`. */
  readonly reason: string;
  /** A sentence that names the file and the fault. */
  readonly message: string;
}
