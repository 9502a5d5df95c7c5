import type { ActiveModel } from './model.ts';
import type { ModelStore, RegisteredModel } from './model-store.ts';

/** Knows the rows of the models that answer; a model that was not seen before gets one. */
export class ModelRegistry {
  readonly #store: Pick<ModelStore, 'register'>;
  readonly #rows = new Map<string, Promise<RegisteredModel>>();

  constructor(store: Pick<ModelStore, 'register'>) {
    this.#store = store;
  }

  /** @throws StoreUnavailable */
  of(model: ActiveModel): Promise<RegisteredModel> {
    const key = `${model.name} ${model.revision}`;
    const known = this.#rows.get(key);
    if (known) return known;
    const row = this.#register(model);
    this.#rows.set(key, row);
    // A failure is not kept: the next request asks again.
    row.catch(() => this.#rows.delete(key));
    return row;
  }

  async #register(model: ActiveModel): Promise<RegisteredModel> {
    const [row] = await this.#store.register([model]);
    return row!;
  }
}
