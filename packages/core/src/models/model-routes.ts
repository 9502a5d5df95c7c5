import type { ActiveModel } from './model.ts';
import type { ModelSlot } from './model-slot.ts';
import type { FetchProgress } from './model-source.ts';

/** A model that a cluster is told to have. Its packs are in the store of models once they are verified. */
export interface DeclaredModel {
  /** Of its declaration. */
  readonly name: string;
  readonly packName: string;
  readonly task: ActiveModel['task'];
  /** Of the verified pack; null: none is verified. */
  readonly revision: string | null;
  /** The revision whose pack it needs, be that verified or not; null: not known. */
  readonly needs: string | null;
  /** Bytes of the published files, and their digest; null: not known. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** While it is fetched; null: it is not. */
  readonly progress: FetchProgress | null;
  /** Why it cannot be had or loaded; null: nothing is known against it. */
  readonly failure: DeclaredFailure | null;
}

export interface DeclaredFailure {
  /** A sentence. */
  readonly message: string;
  /** Only a change by a person helps. */
  readonly isFinal: boolean;
  /** Pods could not load it: its files are there. */
  readonly isOfLoading: boolean;
}

/** What is declared of a slot. */
export interface DeclaredRoute {
  readonly slot: ModelSlot;
  /** Counts the changes of what is declared. */
  readonly generation: number;
  /** What is to answer; null: nothing, or a model that is not declared. */
  readonly wanted: DeclaredModel | null;
  /** All pods that are to hold it do, and can be found. */
  readonly isOffered: boolean;
  /** The revision with which enrolled faces may be embedded; null: any. */
  readonly approved: { readonly revision: string | null } | null;
  /** Whether enrolled faces get vectors of the model before it is active, or after. */
  readonly reembed: 'before' | 'after';
  /** Whether it was reported that this wish, or one before it, gave way or was cancelled. */
  readonly gaveWay: 'this' | 'previous' | null;
}

/** What the database says of a slot. */
export interface RouteFacts {
  readonly slot: ModelSlot;
  /** Of the declared route that this was found for. */
  readonly generation: number;
  /** What answers; null: nothing. */
  readonly active: Pick<ActiveModel, 'name' | 'revision'> | null;
  /** Images whose enrolled faces are being embedded; null: none are. */
  readonly reembedding: {
    readonly done: number;
    readonly total: number;
    readonly failed: number;
  } | null;
  /** Why the wanted model gave way to the one before it, or that its job was cancelled; null: neither. */
  readonly gaveWay: string | null;
}

/** What a cluster declares, for who carries it out. All throw StoreUnavailable. */
export interface ModelRoutes {
  /** Of this moment, or a little before it; while the cluster does not answer, as it told last. */
  routes(): Promise<readonly DeclaredRoute[]>;
  models(): Promise<readonly DeclaredModel[]>;
  /** The models of this moment: the cluster is asked, and has to answer. */
  modelsNow(signal: AbortSignal): Promise<readonly DeclaredModel[]>;
  /** Tells the cluster, unless it knows, or declares something else since the facts were found. */
  report(facts: RouteFacts, signal: AbortSignal): Promise<void>;
}

/** A row of the models. */
export interface WantedModel extends Pick<ActiveModel, 'name' | 'task'> {
  /** Null: nothing of it was downloaded yet. */
  readonly revision: string | null;
}

/** A wish that was written down. */
export interface WrittenWish {
  /** Takes it back, unless another one has replaced it. @throws StoreUnavailable */
  takeBack(signal: AbortSignal): Promise<void>;
}

/** What a cluster declares, for who changes it. All throw StoreUnavailable. */
export interface ModelDeclarations {
  /**
   * Writes down that a model is to answer.
   *
   * @throws ModelNotDownloaded if no declared model has it verified; ActivationDeclared if another hand has the last word
   */
  want(model: WantedModel, reembed: 'before' | 'after', signal: AbortSignal): Promise<WrittenWish>;

  /**
   * Writes down that the files of a model are to be in the store of models.
   *
   * @throws NoSource if no declared model is of that name; ActivationDeclared
   */
  keep(model: WantedModel, signal: AbortSignal): Promise<void>;
}
