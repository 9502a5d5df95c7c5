import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@sightline/contracts/client';
import { freshPhoto } from '../fixtures/draw-photo.ts';

/**
 * The pause of a caller between two requests in ms. It may be long, because the load checks answers
 * and does not measure throughput.
 */
const PAUSE_MS = 100;

/** The answers that callers got. */
export interface LoadReport {
  /** The number of right answers. */
  readonly answers: number;
  /** The names of the models that answered. */
  readonly models: ReadonlySet<string>;
  /** Descriptions of the requests that were refused or cut off. */
  readonly failures: readonly string[];
  /** Successful answers without the person, or with another object. */
  readonly wrong: readonly unknown[];
}

export interface Caller {
  readonly client: Client;
  /** The name of the enrolled person on the photos that the caller sends. */
  readonly name: string;
}

/** Callers that identify people, and detect people and objects, until `stop`. */
export class ConstantLoad {
  readonly #stop = new AbortController();
  readonly #callers: Promise<unknown>;
  readonly #models = new Set<string>();
  readonly #failures: string[] = [];
  readonly #wrong: unknown[] = [];
  #answers = 0;

  private constructor(callers: readonly Caller[]) {
    this.#callers = Promise.all(callers.map((caller) => this.#call(caller)));
  }

  static begin(callers: readonly Caller[]): ConstantLoad {
    return new ConstantLoad(callers);
  }

  get answers(): number {
    return this.#answers;
  }

  /** Resolves after this number of further right answers. */
  async untilMore(count: number): Promise<void> {
    const target = this.#answers + count;
    while (this.#answers < target) await sleep(PAUSE_MS);
  }

  /** Stops the callers and returns their answers. */
  async stop(): Promise<LoadReport> {
    this.#stop.abort();
    await this.#callers;
    const [answers, models] = [this.#answers, this.#models];
    return { answers, models, failures: this.#failures, wrong: this.#wrong };
  }

  async #call({ client, name }: Caller): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const file = await freshPhoto({ faces: [`${name} 2`], objects: ['bus'] });
      await this.#judge(client.identifyFaces({ body: { file } }), ({ faces }) =>
        isOnly(faces, name),
      );
      await this.#judge(client.detectAll({ body: { file } }), ({ faces, objects, model }) => {
        for (const used of [model.faces, model.objects]) this.#models.add(used?.name ?? 'none');
        return isOnly(faces, name) && objects.length === 1 && objects[0]!.class_name === 'bus';
      });
      await sleep(PAUSE_MS);
    }
  }

  async #judge<Body>(
    asked: Promise<{ readonly status: number; readonly body: Body | null }>,
    isRight: (body: Body) => boolean,
  ): Promise<void> {
    // Requests in flight get no answer if their process is killed.
    const answer = await asked.catch((error: unknown) => String(error));
    if (typeof answer === 'string') this.#failures.push(answer);
    else if (answer.body === null) this.#failures.push(JSON.stringify(answer));
    else if (isRight(answer.body)) this.#answers++;
    else this.#wrong.push(answer.body);
  }
}

function isOnly(faces: readonly { readonly label: string | null }[], name: string): boolean {
  return faces.length === 1 && faces[0]!.label === name;
}
