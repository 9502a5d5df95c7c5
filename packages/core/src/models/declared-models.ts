import type { ActiveModel } from './model.ts';
import type { FetchProgress } from './model-source.ts';

/** A model that a cluster is to have. Its pack is in the store of models once it is verified. */
export interface DeclaredModel {
  /** The name of its declaration. */
  readonly name: string;
  readonly packName: string;
  readonly task: ActiveModel['task'];
  /** The revision of the verified pack; null: none is verified. */
  readonly revision: string | null;
  /** The revision of the pack that it needs, verified or not; null: not known. */
  readonly needs: string | null;
  /** Bytes of the published files, and their digest; null: not known. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** While it is fetched; null: it is not. */
  readonly progress: FetchProgress | null;
  /** Why it cannot be fetched or loaded; null: no failure is known. */
  readonly failure: DeclaredFailure | null;
}

export interface DeclaredFailure {
  /** A sentence. */
  readonly message: string;
  /** Whether only a change by a person helps. */
  readonly isFinal: boolean;
  /** Whether pods could not load it: its files are there. */
  readonly isOfLoading: boolean;
}

/** The models that a cluster declares. All throw StoreUnavailable. */
export interface DeclaredModels {
  /** As they are now, or a little before; while the cluster does not respond, as it reported last. */
  models(): Promise<readonly DeclaredModel[]>;
  /** As they are now: the cluster is queried, and has to respond. */
  modelsNow(signal: AbortSignal): Promise<readonly DeclaredModel[]>;
}

/** A row of the models. */
export interface RequestedModel extends Pick<ActiveModel, 'name' | 'task'> {
  /** Null: nothing of it was downloaded yet. */
  readonly revision: string | null;
}

/** A request that was written into a declaration. */
export interface WrittenRequest {
  /** Takes it back, unless another one has replaced it. @throws StoreUnavailable */
  takeBack(signal: AbortSignal): Promise<void>;
}

/** Changes what a cluster declares. All throw StoreUnavailable. */
export interface ModelDeclarations {
  /**
   * Declares that a model is to answer.
   *
   * @throws ModelNotDownloaded if no declared model has it verified; ActivationDeclared if another field manager owns
   *   the declaration
   */
  activate(
    model: RequestedModel,
    reembed: 'before' | 'after',
    signal: AbortSignal,
  ): Promise<WrittenRequest>;

  /**
   * Declares that the files of a model are to be in the store of models.
   *
   * @throws NoSource if no declared model is of that name; ActivationDeclared
   */
  keep(model: RequestedModel, signal: AbortSignal): Promise<void>;
}
