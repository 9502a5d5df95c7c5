import type { Clock } from '@sightline/platform/resilience/clock';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import type { Pod } from './kube-kinds.ts';

const OPS_PORT = 9464;
/** Timeout of a request to a pod, in ms: a silent pod delays the others no longer than this. */
const TIMEOUT_MS = 2_000;
/** Shortest time between two requests to a pod, in ms, whether or not it answered. */
const FRESH_MS = 900;
/** How long a pod's last answer stays valid while it does not respond, in ms. */
const COUNTS_MS = 60_000;

/** Sends a request to the operations port of a pod. @throws if the pod does not answer with JSON */
export type Poll = (url: string, signal: AbortSignal) => Promise<unknown>;

/** The state of one polled pod. */
interface PolledPod {
  /** The last answer; null if the pod has never answered. */
  answer: { readonly at: number; readonly body: unknown } | null;
  /** When the next request may be sent. */
  freshUntil: number;
  /** The request in flight; null if there is none. */
  polling: Promise<void> | null;
  /** Whether the last request timed out. */
  isSilent: boolean;
}

/**
 * Polls pods for the models that they have loaded. All reconcilers together poll a pod at most once a second. After a
 * timeout, a pod is still polled, but callers do not wait for it until it answers again. Otherwise a lost node would delay
 * all reconcilers.
 */
export class PodPoller {
  readonly #poll: Poll;
  readonly #clock: Clock;
  /** The polled pods by uid. */
  readonly #pods = new Map<string, PolledPod>();

  constructor({ poll, clock }: { readonly poll: Poll; readonly clock: Clock }) {
    this.#poll = poll;
    this.#clock = clock;
  }

  /**
   * Polls pods concurrently.
   *
   * @param path a path of the operations port, such as `/models`; always the same one for a pod
   * @returns for each pod the parsed JSON of its last answer; null if the answer is missing or older than a minute
   * @throws the signal's reason
   */
  async pollAll(
    pods: readonly Pod[],
    path: string,
    signal: AbortSignal,
  ): Promise<readonly unknown[]> {
    return Promise.all(pods.map((pod) => this.#pollOne(pod, path, signal)));
  }

  /** Forgets a deleted pod. */
  forget({ metadata }: Pick<Pod, 'metadata'>): void {
    this.#pods.delete(metadata.uid ?? '');
  }

  async #pollOne({ metadata, status }: Pod, path: string, signal: AbortSignal): Promise<unknown> {
    const { podIP } = status ?? {};
    if (podIP === undefined) return null;
    const pod = this.#polled(metadata.uid ?? '');
    if (pod.polling === null && this.#clock.now() >= pod.freshUntil) {
      const host = podIP.includes(':') ? `[${podIP}]` : podIP;
      pod.polling = this.#update(pod, `http://${host}:${OPS_PORT}${path}`).finally(() => {
        pod.polling = null;
      });
    }
    if (pod.polling !== null && !pod.isSilent) await orAbort(pod.polling, signal);
    return this.#body(pod);
  }

  #polled(uid: string): PolledPod {
    const known = this.#pods.get(uid);
    if (known !== undefined) return known;
    const pod = { answer: null, freshUntil: -Infinity, polling: null, isSilent: false };
    this.#pods.set(uid, pod);
    return pod;
  }

  /** Sends a request. No caller's signal cancels it, because all waiting callers share it. */
  async #update(pod: PolledPod, url: string): Promise<void> {
    const limit = new AbortController();
    const cancel = this.#clock.after(TIMEOUT_MS, () => limit.abort());
    try {
      const body = await this.#poll(url, limit.signal);
      pod.answer = { at: this.#clock.now(), body };
      pod.isSilent = false;
    } catch {
      pod.isSilent = limit.signal.aborted;
    } finally {
      cancel();
      pod.freshUntil = this.#clock.now() + FRESH_MS;
    }
  }

  #body({ answer }: PolledPod): unknown {
    return answer !== null && this.#clock.now() < answer.at + COUNTS_MS ? answer.body : null;
  }
}

const MAX_ANSWER_BYTES = 1_000_000;

/** @throws errors of the connection, SyntaxError, RangeError */
export async function pollOverHttp(url: string, signal: AbortSignal): Promise<unknown> {
  const answer = await fetch(url, { signal, redirect: 'error' });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new RangeError(`The pod answered with status ${answer.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let received = 0;
  // The received bytes are counted, because headers may lie. Leaving the loop closes the connection.
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    received += chunk.length;
    if (received > MAX_ANSWER_BYTES) throw new RangeError("The pod's answer is too long.");
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}
