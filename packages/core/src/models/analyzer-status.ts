import type { ActiveModel, ExecutionProvider, ModelTask } from './model.ts';

export interface AnalyzerStatus {
  readonly ready: boolean;
  readonly provider: ExecutionProvider;
  /** The models that answer requests which name none; at most one per task. */
  readonly models: readonly ActiveModel[];
  /** The desired models, and those that are still loaded besides. */
  readonly report: readonly ReportedModel[];
  /** Models whose files the process has. Absent: unknown. */
  readonly found?: readonly ActiveModel[] | undefined;
  /** Whether the process has a GPU, whether or not models use it now. Absent: unknown. */
  readonly hasGpu?: boolean | undefined;
}

/** Revisions of models, by slot. An absent slot is not requested. */
export interface NamedModels {
  readonly face?: string | undefined;
  readonly object?: string | undefined;
}

/**
 * The state of a model in a process: its files are being fetched, are on the `disk`, are being loaded (`warming`), it
 * answers requests (`warm`), or it could not be fetched or loaded and is retried (`failed`).
 */
export type ReportedState = 'fetching' | 'disk' | 'warming' | 'warm' | 'failed';

/** A model in a process that runs models. */
export interface ReportedModel {
  readonly name: string;
  readonly task: ModelTask;
  readonly revision: string;
  readonly state: ReportedState;
  /** Why it could not be fetched or loaded; null unless it failed. */
  readonly error: ReportedError | null;
  /** Worker threads that died with it since it was warm. */
  readonly deaths: number;
  /** Seconds since a request named it; null: no request has. */
  readonly lastRequestedSecondsAgo: number | null;
}

export interface ReportedError {
  /** A word for conditions of custom resources, such as `LoadFailed`. */
  readonly reason: string;
  /** A sentence that names the file and the fault. */
  readonly message: string;
}
