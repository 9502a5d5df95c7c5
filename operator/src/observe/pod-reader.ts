import type { ObservedPod } from '../plan/snapshot.ts';
import type { Pod } from './kube-kinds.ts';
import { observePod } from './observe-pod.ts';
import type { PodPoller } from './pod-poller.ts';
import { isOver } from './pod-failure.ts';

export interface PodReaderDeps {
  readonly poller: PodPoller;
  /** The time in ms since 1970. */
  readonly now: () => number;
}

/** Reads the state of pods, including what they report themselves. */
export class PodReader {
  readonly #deps: PodReaderDeps;

  constructor(deps: PodReaderDeps) {
    this.#deps = deps;
  }

  /** Reads the pods of a host with their models. @throws the signal's reason */
  async read(pods: readonly Pod[], signal: AbortSignal): Promise<readonly ObservedPod[]> {
    const { poller, now } = this.#deps;
    const running = pods.filter((pod) => !isOver(pod));
    const answers = await poller.pollAll(running, '/models', signal);
    const at = now();
    return pods.map((pod) => observePod(pod, { now: at, answer: answers[running.indexOf(pod)] }));
  }

  /** Polls a path of any pod. @returns the parsed JSON; null if the pod does not answer */
  async poll(pod: Pod, path: string, signal: AbortSignal): Promise<unknown> {
    return (await this.#deps.poller.pollAll([pod], path, signal))[0] ?? null;
  }
}
