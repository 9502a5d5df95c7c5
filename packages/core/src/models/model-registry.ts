import type { NamedModels } from './analyzer-status.ts';
import type { ActiveModel } from './model.ts';
import { InferenceUnavailable } from './model-errors.ts';
import { slotOf } from './model-slot.ts';
import type { ModelRoles, ModelStore, RegisteredModel } from './model-store.ts';

const ROLES_CACHED_MS = 2_000;

/**
 * Caches the database rows of models, and the roles of models. It inserts rows for new models.
 */
export class ModelRegistry {
  readonly #store: Pick<ModelStore, 'register' | 'roles'>;
  readonly #rows = new Map<string, Promise<RegisteredModel>>();
  #known: { readonly since: number; readonly roles: Promise<ModelRoles> } | null = null;

  constructor(store: Pick<ModelStore, 'register' | 'roles'>) {
    this.#store = store;
  }

  /** @throws StoreUnavailable */
  of(model: ActiveModel): Promise<RegisteredModel> {
    const key = `${model.name} ${model.revision}`;
    const known = this.#rows.get(key);
    if (known) return known;
    const row = this.#register(model);
    this.#rows.set(key, row);
    // A failure is not cached, so that the next call retries.
    row.catch(() => this.#rows.delete(key));
    return row;
  }

  /**
   * The row of the model that served a request, if the caller may store and compare its embeddings. Embeddings of
   * different models cannot be compared, so the model has to be active, or the previous model of the last minute,
   * because requests end with the model that they began with.
   *
   * @throws InferenceUnavailable if neither the active nor the previous model served the request; StoreUnavailable
   */
  async ofVectors(model: ActiveModel): Promise<RegisteredModel> {
    const row = await this.of(model);
    if (row.embeddingDim === null || (await this.counts(row.id))) return row;
    throw new InferenceUnavailable(
      'The active model was switched while the request was running; try again.',
      { model: model.name },
    );
  }

  /**
   * Whether the model is active, or the previous model of the last minute. If the cached roles say no, the database is
   * queried, since the model may just have become active.
   *
   * @throws StoreUnavailable
   */
  async counts(modelId: number): Promise<boolean> {
    const isAmong = ({ active, previous }: ModelRoles) =>
      [...active, ...previous].some(({ id }) => id === modelId);
    if (isAmong(await this.roles())) return true;
    this.forget();
    return isAmong(await this.roles());
  }

  /**
   * The roles of models, at most two seconds old.
   *
   * @throws StoreUnavailable
   */
  roles(): Promise<ModelRoles> {
    const now = performance.now();
    if (this.#known !== null && now - this.#known.since < ROLES_CACHED_MS) return this.#known.roles;
    const known = { since: now, roles: this.#store.roles() };
    this.#known = known;
    known.roles.catch(() => {
      if (this.#known === known) this.#known = null;
    });
    return known.roles;
  }

  /** Clears the cached roles, so that the next call queries the store. */
  forget(): void {
    this.#known = null;
  }

  async #register(model: ActiveModel): Promise<RegisteredModel> {
    const [row] = await this.#store.register([model]);
    return row!;
  }
}

export function namesOf(models: readonly RegisteredModel[]): NamedModels {
  const of = (slot: keyof NamedModels) => models.find((model) => slotOf(model) === slot)?.revision;
  const [face, object] = [of('face'), of('object')];
  return { ...(face !== undefined && { face }), ...(object !== undefined && { object }) };
}
