import { setTimeout } from 'node:timers/promises';
import { InferenceUnavailable, ModelLoadFailed } from '../models/model-errors.ts';
import type { HostWish, ModelHosts } from '../models/model-hosts.ts';
import type { ModelStore, RegisteredModel } from '../models/model-store.ts';
import { wishOf } from '../models/wish-of.ts';
import type { ComingModels, FollowedWish } from './coming-models.ts';

export interface ToldHostsDeps {
  readonly hosts: ModelHosts;
  readonly modelStore: Pick<ModelStore, 'roles'>;
  /** Where models are to run. */
  readonly provider: () => Promise<HostWish['provider']>;
}

const POLL_MS = 200;
/** A model that is not warm by then is not loaded: files of hundreds of megabytes may be fetched. */
const LOAD_LIMIT_MS = 15 * 60_000;

/** Tells every process with models what to hold, and waits for all of them. */
export class ToldHosts implements ComingModels {
  /** Hosts hold two sets of models. */
  readonly isExclusive = true;
  readonly #deps: ToldHostsDeps;

  constructor(deps: ToldHostsDeps) {
    this.#deps = deps;
  }

  async prepare({ name, revision }: RegisteredModel, signal: AbortSignal): Promise<void> {
    const giveUpAt = performance.now() + LOAD_LIMIT_MS;
    await this.#tell(signal);
    for (;;) {
      const hosts = (await this.#deps.hosts.statuses(signal)).filter(({ ready }) => ready);
      if (hosts.length === 0) throw new InferenceUnavailable('No process with models answers.');
      const found = hosts.map(({ held = [] }) => held.find((one) => one.revision === revision));
      const failed = found.find((one) => one?.state === 'failed');
      if (failed !== undefined) {
        throw new ModelLoadFailed(`The model ${name} cannot be loaded: ${failed.error}`);
      }
      if (found.every((one) => one?.state === 'warm')) return;
      if (performance.now() > giveUpAt) {
        throw new ModelLoadFailed(`The model ${name} was not loaded in time.`);
      }
      // A host that has just come was not told.
      if (found.includes(undefined)) await this.#tell(signal);
      await setTimeout(POLL_MS, undefined, { signal });
    }
  }

  /** Whoever takes it back cancels the job. */
  follow(_: RegisteredModel, signal: AbortSignal): FollowedWish {
    return { signal, [Symbol.dispose]: () => undefined };
  }

  /** Hosts prefer the new model from now on, and keep the one before it for a minute. */
  switched(signal: AbortSignal): Promise<void> {
    return this.#tell(signal);
  }

  async #tell(signal: AbortSignal): Promise<void> {
    const { hosts, modelStore, provider } = this.#deps;
    const wish = wishOf(await modelStore.roles(signal), await provider());
    if (wish !== null) await hosts.hold(wish, signal);
  }
}
