import type { ActiveModel, ExecutionProvider, ModelTask } from './model.ts';

export interface AnalyzerStatus {
  readonly ready: boolean;
  readonly provider: ExecutionProvider;
  /** Those that answer requests that name none; at most one per task. */
  readonly models: readonly ActiveModel[];
  /** All models that it holds, loads or could not load. Absent: no more than `models`. */
  readonly held?: readonly HeldModel[] | undefined;
  /** Models that it could hold, because it has their files. Absent: not known. */
  readonly found?: readonly ActiveModel[] | undefined;
  /** Whether it has a GPU, be models on it now or not. Absent: not known. */
  readonly hasGpu?: boolean | undefined;
}

/** Revisions of models. A task that is absent is not asked for. `object` includes open vocabularies. */
export interface NamedModels {
  readonly face?: string | undefined;
  readonly object?: string | undefined;
}

/** A model in a process that runs models. */
export interface HeldModel {
  readonly name: string;
  readonly task: ModelTask;
  readonly revision: string;
  readonly state: 'loading' | 'warm' | 'failed';
  /** Why it could not be loaded; null unless it failed. */
  readonly error: string | null;
  /** Worker threads that died with it since it was warm. */
  readonly deaths: number;
}
