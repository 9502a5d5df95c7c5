import type { Clock } from '@sightline/platform/resilience/clock';
import type { Pod } from './kube-kinds.ts';

const OPS_PORT = 9464;
/** A pod that does not answer holds the others up for no longer, in ms. */
const TIMEOUT_MS = 2_000;
/** Two reconcilers that look at a pod at the same time ask it once, in ms. */
const FRESH_MS = 900;
/** What a pod said counts for so long while it does not answer, in ms. */
const COUNTS_MS = 60_000;

/** Asks the operations port of a pod. @throws if it does not answer JSON */
export type Ask = (url: string, signal: AbortSignal) => Promise<unknown>;

interface Answer {
  readonly at: number;
  /** When it was asked last, whether it answered or not. */
  readonly askedAt: number;
  readonly body: unknown;
}

/** Asks pods what they hold, each at most once a second. */
export class PodAsker {
  readonly #ask: Ask;
  readonly #clock: Clock;
  readonly #answers = new Map<string, Answer>();

  constructor({ ask, clock }: { readonly ask: Ask; readonly clock: Clock }) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /**
   * What pods answer, side by side.
   *
   * @param path of the operations port, such as `/models`
   * @returns for each pod the parsed JSON; null if it has not answered for a minute
   * @throws the signal's reason
   */
  async askAll(
    pods: readonly Pod[],
    path: string,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> {
    return Promise.all(pods.map((pod) => this.#askOne(pod, path, signal)));
  }

  /** The pod is gone. */
  forget({ metadata }: Pick<Pod, 'metadata'>): void {
    this.#answers.delete(metadata.uid ?? '');
  }

  async #askOne(pod: Pod, path: string, signal: AbortSignal): Promise<unknown> {
    const { podIP } = pod.status ?? {};
    const uid = pod.metadata.uid ?? '';
    const known = this.#answers.get(uid);
    const now = this.#clock.now();
    if (podIP === undefined) return null;
    if (known !== undefined && now < known.askedAt + FRESH_MS) return this.#body(known);
    const host = podIP.includes(':') ? `[${podIP}]` : podIP;
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const body = await this.#ask(`http://${host}:${OPS_PORT}${path}`, limit);
      this.#answers.set(uid, { at: now, askedAt: now, body });
      return body;
    } catch {
      signal.throwIfAborted();
      if (known === undefined) return null;
      this.#answers.set(uid, { ...known, askedAt: now });
      return this.#body(known);
    }
  }

  #body({ at, body }: Answer): unknown {
    return this.#clock.now() < at + COUNTS_MS ? body : null;
  }
}

const MAX_ANSWER_BYTES = 1_000_000;

/** @throws errors of the connection, SyntaxError, RangeError */
export async function askOverHttp(url: string, signal: AbortSignal): Promise<unknown> {
  const answer = await fetch(url, { signal, redirect: 'error' });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new RangeError(`The pod answered ${answer.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let received = 0;
  // Whatever its headers say; a loop that is left closes the connection.
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    received += chunk.length;
    if (received > MAX_ANSWER_BYTES) throw new RangeError('The answer is too long.');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}
