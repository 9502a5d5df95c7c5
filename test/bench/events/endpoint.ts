import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The identity of a message, and the message's arrival in ms of the epoch. */
export type Arrival = readonly [identityId: number, at: number];

type Report = { readonly port: number } | { readonly arrivals: readonly Arrival[] };

const PAUSE_MS = 20;

/** A webhook endpoint in a process of its own. */
export class Endpoint implements Disposable {
  readonly url: string;
  readonly #child: ReturnType<typeof fork>;
  #arrivals: Arrival[] = [];

  private constructor(child: ReturnType<typeof fork>, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}/hook`;
    child.on('message', (report: Report) => {
      if ('arrivals' in report) this.#arrivals.push(...report.arrivals);
    });
  }

  static async start(): Promise<Endpoint> {
    const child = fork(join(import.meta.dirname, 'endpoint-process.ts'));
    const [report] = (await once(child, 'message')) as [{ readonly port: number }];
    return new Endpoint(child, report.port);
  }

  /** Waits for this many messages since the last call, and returns their arrivals. */
  async take(count: number): Promise<readonly Arrival[]> {
    while (this.#arrivals.length < count) await sleep(PAUSE_MS);
    const taken = this.#arrivals;
    this.#arrivals = [];
    return taken;
  }

  [Symbol.dispose](): void {
    this.#child.disconnect();
  }
}
