import type { NamedModels } from './analyzer-status.ts';
import type { ActiveModel } from './model.ts';
import { InferenceUnavailable } from './model-errors.ts';
import { slotOf } from './model-slot.ts';
import type { ModelRoles, ModelStore, RegisteredModel } from './model-store.ts';

/** How long the roles of models are trusted without a query. */
const FRESH_MS = 2_000;

/**
 * Caches the rows of the models that answer, and which of them are active. A model that was not seen
 * before gets a row.
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
    // A failure is not cached: the next request tries again.
    row.catch(() => this.#rows.delete(key));
    return row;
  }

  /**
   * The row of a model that answered, if its vectors may be stored and compared. Vectors of different
   * models cannot be compared, so a model with embeddings has to be the active one, or the one that it
   * replaced a moment ago: requests that began with that one end with it.
   *
   * @throws InferenceUnavailable if another model answered; StoreUnavailable
   */
  async ofVectors(model: ActiveModel): Promise<RegisteredModel> {
    const row = await this.of(model);
    if (row.embeddingDim === null || (await this.counts(row.id))) return row;
    throw new InferenceUnavailable(
      'Another model answered than the active one, as happens while models are exchanged; try again later.',
      { model: model.name },
    );
  }

  /**
   * Whether the model is active, or was a moment ago. A model that has just become active is recognized
   * at once.
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
   * Which models count, or counted within the last two seconds.
   *
   * @throws StoreUnavailable
   */
  roles(): Promise<ModelRoles> {
    const now = performance.now();
    if (this.#known !== null && now - this.#known.since < FRESH_MS) return this.#known.roles;
    const known = { since: now, roles: this.#store.roles() };
    this.#known = known;
    known.roles.catch(() => {
      if (this.#known === known) this.#known = null;
    });
    return known.roles;
  }

  /** The next question asks the store. */
  forget(): void {
    this.#known = null;
  }

  async #register(model: ActiveModel): Promise<RegisteredModel> {
    const [row] = await this.#store.register([model]);
    return row!;
  }
}

/** The revisions of models, by slot. */
export function namesOf(models: readonly RegisteredModel[]): NamedModels {
  const of = (slot: keyof NamedModels) => models.find((model) => slotOf(model) === slot)?.revision;
  const [face, object] = [of('face'), of('object')];
  return { ...(face !== undefined && { face }), ...(object !== undefined && { object }) };
}
