import type { ActiveModel } from './model.ts';
import { InferenceUnavailable } from './model-errors.ts';
import type { ModelStore, RegisteredModel } from './model-store.ts';

/** How long an active model is trusted to be active without a query. */
const FRESH_MS = 2_000;

/**
 * Caches the rows of the models that answer, and which of them are active. A model that was not seen
 * before gets a row.
 */
export class ModelRegistry {
  readonly #store: Pick<ModelStore, 'register' | 'active'>;
  readonly #rows = new Map<string, Promise<RegisteredModel>>();
  #active: { readonly since: number; readonly ids: ReadonlySet<number> } | null = null;

  constructor(store: Pick<ModelStore, 'register' | 'active'>) {
    this.#store = store;
  }

  /** @throws StoreUnavailable */
  of(model: ActiveModel): Promise<RegisteredModel> {
    const key = `${model.name} ${model.revision}`;
    const known = this.#rows.get(key);
    if (known) return known;
    const row = this.#register(model);
    this.#rows.set(key, row);
    // A failure is not cached: the next request tries again.
    row.catch(() => this.#rows.delete(key));
    return row;
  }

  /**
   * The row of a model that answered, if its vectors may be stored and compared. Vectors of different
   * models cannot be compared, so a model with embeddings has to be the active one. Another model may
   * answer while models are exchanged, or behind a wrong address.
   *
   * @throws InferenceUnavailable if another model than the active one answered; StoreUnavailable
   */
  async ofVectors(model: ActiveModel): Promise<RegisteredModel> {
    const row = await this.of(model);
    if (row.embeddingDim === null || (await this.isActive(row.id))) return row;
    throw new InferenceUnavailable(
      'Another model answered than the active one, as happens while models are exchanged; try again later.',
      { model: model.name },
    );
  }

  /**
   * Whether the model is active, or was within the last two seconds. A model that has just become
   * active is recognized at once.
   *
   * @throws StoreUnavailable
   */
  async isActive(modelId: number): Promise<boolean> {
    const known = this.#active;
    const isFresh = known !== null && performance.now() - known.since < FRESH_MS;
    if (isFresh && known.ids.has(modelId)) return true;
    const since = performance.now();
    const ids = new Set((await this.#store.active()).map(({ id }) => id));
    this.#active = { since, ids };
    return ids.has(modelId);
  }

  async #register(model: ActiveModel): Promise<RegisteredModel> {
    const [row] = await this.#store.register([model]);
    return row!;
  }
}
