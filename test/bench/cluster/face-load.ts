import type { Client } from '@sightline/contracts/client';
import { drawPhoto } from '../../support/fixtures/draw-photo.ts';
import { ok } from '../../support/services/ok.ts';

/** Of the clock of `performance.now()`, in ms. */
export interface Period {
  readonly start: number;
  readonly end: number;
}

export function secondsOf({ start, end }: Period): number {
  return (end - start) / 1000;
}

/** Two clients that ask until they are stopped, each as soon as it has its answer: one identifies, one detects. */
export class FaceLoad implements AsyncDisposable {
  readonly #client: Client;
  readonly #clients: readonly Promise<void>[];
  readonly #answers: Period[] = [];
  readonly #failures: string[] = [];
  #isOver = false;

  /** @param client of a service that knows Ada */
  constructor(client: Client) {
    this.#client = client;
    this.#clients = [this.#identify(), this.#detect()];
  }

  get answers(): readonly Period[] {
    return this.#answers;
  }

  get failures(): readonly string[] {
    return this.#failures;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  /** A face and references of two models would not know each other. */
  async #identify(): Promise<void> {
    const file = await drawPhoto({ faces: ['Ada 2'] });
    while (!this.#isOver) {
      await this.#time(async () => {
        const { faces } = ok(await this.#client.identifyFaces({ body: { file } }));
        if (faces.length !== 1 || faces[0]!.label !== 'Ada') throw new Error(JSON.stringify(faces));
      });
    }
  }

  async #detect(): Promise<void> {
    for (let at = 0; !this.#isOver; at++) {
      const file = await drawPhoto({ faces: ['Ada 3'], comment: String(at) });
      await this.#time(async () => {
        const { faces } = ok(await this.#client.detectFaces({ body: { file } }));
        if (faces.length !== 1) throw new Error(JSON.stringify(faces));
      });
    }
  }

  async #time(request: () => Promise<void>): Promise<void> {
    const start = performance.now();
    try {
      await request();
      this.#answers.push({ start, end: performance.now() });
    } catch (error) {
      this.#failures.push(String(error));
    }
  }
}
