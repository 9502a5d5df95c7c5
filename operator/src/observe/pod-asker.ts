import type { Clock } from '@sightline/platform/resilience/clock';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import type { Pod } from './kube-kinds.ts';

const OPS_PORT = 9464;
/** A pod that does not answer holds the others up for no longer, in ms. */
const TIMEOUT_MS = 2_000;
/** A pod that was asked is not asked again for so long, whether it has answered or not, in ms. */
const FRESH_MS = 900;
/** What a pod said counts for so long while it does not answer, in ms. */
const COUNTS_MS = 60_000;

/** Asks the operations port of a pod. @throws if it does not answer JSON */
export type Ask = (url: string, signal: AbortSignal) => Promise<unknown>;

/** A pod that has been asked. */
interface AskedPod {
  /** Its last answer; null: it has never answered. */
  answer: { readonly at: number; readonly body: unknown } | null;
  /** When it is to be asked again. */
  freshUntil: number;
  /** The question that is in flight. */
  asking: Promise<void> | null;
  /** It let the last question wait until it was given up. */
  isSilent: boolean;
}

/**
 * Asks pods what they hold, each at most once a second, however many reconcilers look at it. One that let a question
 * wait until it was given up is still asked, but nothing waits for it again until it answers: a lost node would hold
 * all reconcilers up.
 */
export class PodAsker {
  readonly #ask: Ask;
  readonly #clock: Clock;
  /** By uid. */
  readonly #pods = new Map<string, AskedPod>();

  constructor({ ask, clock }: { readonly ask: Ask; readonly clock: Clock }) {
    this.#ask = ask;
    this.#clock = clock;
  }

  /**
   * What pods answer, side by side.
   *
   * @param path of the operations port, such as `/models`; always the same one of a pod
   * @returns for each pod the parsed JSON of its last answer; null if that is a minute old, or there is none
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
    this.#pods.delete(metadata.uid ?? '');
  }

  async #askOne({ metadata, status }: Pod, path: string, signal: AbortSignal): Promise<unknown> {
    const { podIP } = status ?? {};
    if (podIP === undefined) return null;
    const pod = this.#asked(metadata.uid ?? '');
    if (pod.asking === null && this.#clock.now() >= pod.freshUntil) {
      const host = podIP.includes(':') ? `[${podIP}]` : podIP;
      pod.asking = this.#update(pod, `http://${host}:${OPS_PORT}${path}`).finally(() => {
        pod.asking = null;
      });
    }
    if (pod.asking !== null && !pod.isSilent) await orAbort(pod.asking, signal);
    return this.#body(pod);
  }

  #asked(uid: string): AskedPod {
    const known = this.#pods.get(uid);
    if (known !== undefined) return known;
    const pod = { answer: null, freshUntil: -Infinity, asking: null, isSilent: false };
    this.#pods.set(uid, pod);
    return pod;
  }

  /** The question is of all who wait for it, so that no one of them ends it. */
  async #update(pod: AskedPod, url: string): Promise<void> {
    const limit = new AbortController();
    const cancel = this.#clock.after(TIMEOUT_MS, () => limit.abort());
    try {
      const body = await this.#ask(url, limit.signal);
      pod.answer = { at: this.#clock.now(), body };
      pod.isSilent = false;
    } catch {
      pod.isSilent = limit.signal.aborted;
    } finally {
      cancel();
      pod.freshUntil = this.#clock.now() + FRESH_MS;
    }
  }

  #body({ answer }: AskedPod): unknown {
    return answer !== null && this.#clock.now() < answer.at + COUNTS_MS ? answer.body : null;
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
