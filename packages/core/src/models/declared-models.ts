import type { ActiveModel } from './model.ts';
import type { FetchProgress } from './model-source.ts';

/** A model that is declared in a cluster. Once its pack is verified, the pack is in the model store. */
export interface DeclaredModel {
  /** The name of the custom resource that declares the model. */
  readonly name: string;
  readonly packName: string;
  readonly task: ActiveModel['task'];
  /** The revision of the verified pack; null if no pack is verified. */
  readonly revision: string | null;
  /** The revision of the pack that the declaration requires, verified or not; null if unknown. */
  readonly needs: string | null;
  /** The size of the published files; null if unknown. */
  readonly bytes: number | null;
  /** The digest of the published file (hex); null if unknown. */
  readonly sha256: string | null;
  readonly progress: FetchProgress | null;
  /** Why the model could not be downloaded or loaded; null if no failure is known. */
  readonly failure: DeclaredFailure | null;
}

export interface DeclaredFailure {
  readonly message: string;
  /** Whether a retry is useless until a person changes something. */
  readonly isFinal: boolean;
  /** Whether the download succeeded, but pods could not load the model. */
  readonly isOfLoading: boolean;
}

/** Reads the models that a cluster declares. All methods throw StoreUnavailable. */
export interface DeclaredModels {
  /**
   * The declared models, possibly a little outdated. While the cluster does not respond, its last answer is returned.
   */
  models(): Promise<readonly DeclaredModel[]>;
  /** Queries the cluster, so that the declared models are up to date. */
  modelsNow(signal: AbortSignal): Promise<readonly DeclaredModel[]>;
}

/** A model that the database lists. */
export interface RequestedModel extends Pick<ActiveModel, 'name' | 'task'> {
  /** Null if the model was never downloaded. */
  readonly revision: string | null;
}

/** A caller's request that was written into a declaration. */
export interface WrittenRequest {
  /** Reverts the declaration, unless another request has replaced this one. @throws StoreUnavailable */
  revert(signal: AbortSignal): Promise<void>;
}

/** Changes what a cluster declares. All methods throw StoreUnavailable. */
export interface ModelDeclarations {
  /**
   * Declares a model as the desired model of its slot.
   *
   * @throws ModelNotDownloaded if no declared model has the verified revision; ActivationDeclared if another field
   *   manager owns the declaration
   */
  activate(
    model: RequestedModel,
    reembed: 'before' | 'after',
    signal: AbortSignal,
  ): Promise<WrittenRequest>;

  /**
   * Declares that the files of a model should be in the model store.
   *
   * @throws NoSource if no declared model has the name; ActivationDeclared if another field manager owns the
   *   declaration
   */
  keep(model: RequestedModel, signal: AbortSignal): Promise<void>;
}
