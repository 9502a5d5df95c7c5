/** Revisions of models. A task that is absent is not asked for. `object` includes open vocabularies. */
export interface NamedModels {
  readonly face?: string | undefined;
  readonly object?: string | undefined;
}
