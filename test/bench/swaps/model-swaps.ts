import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningService } from '../../support/services/running-service.ts';
import { ok, okWith } from '../../support/services/ok.ts';
import type { Period } from '../period-load.ts';

const POLL_MS = 100;

/** Activates two models of a service in turn. */
export class ModelSwaps {
  readonly #client: RunningService['client'];
  readonly #ids: readonly [number, number];
  #turn = 0;

  private constructor(client: RunningService['client'], ids: readonly [number, number]) {
    this.#client = client;
    this.#ids = ids;
  }

  /** @param names the active model, and the other one */
  static async open(
    { client }: Pick<RunningService, 'client'>,
    names: readonly [string, string],
  ): Promise<ModelSwaps> {
    const { items } = ok(await client.listModels());
    const idOf = (wanted: string) => items.find(({ name }) => name === wanted)!.id;
    return new ModelSwaps(client, [idOf(names[0]), idOf(names[1])]);
  }

  /**
   * Activates the other model, and waits until it is active.
   *
   * @throws Error if the activation fails
   */
  async swap(): Promise<Period> {
    const start = performance.now();
    const id = this.#ids[++this.#turn % 2]!;
    const answer = await this.#client.activateModel({ path: { id }, body: {} });
    if (answer.status === 202) await this.#end(okWith(202, answer).job_id);
    else okWith(200, answer);
    return { start, end: performance.now() };
  }

  async #end(id: number): Promise<void> {
    for (;;) {
      const { status, finished_at: end } = ok(await this.#client.getJob({ path: { id } }));
      if (status === 'done') return;
      if (end !== null) throw new Error(`The activation is ${status}.`);
      await sleep(POLL_MS);
    }
  }
}
