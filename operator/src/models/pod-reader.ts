import type { ObservedPod } from '../plan/snapshot.ts';
import type { Pod } from './kube-kinds.ts';
import { observePod, parsePodModels } from './observe-pod.ts';
import type { PodAsker } from './pod-asker.ts';

export interface PodReaderDeps {
  readonly asker: PodAsker;
  /** In ms since 1970. */
  readonly now: () => number;
}

/** Pods, with what they say of themselves. */
export class PodReader {
  readonly #deps: PodReaderDeps;

  constructor(deps: PodReaderDeps) {
    this.#deps = deps;
  }

  /** Pods of a host. @throws the signal's reason */
  async read(pods: readonly Pod[], signal: AbortSignal): Promise<readonly ObservedPod[]> {
    const { asker, now } = this.#deps;
    const answers = await asker.askAll(pods, '/models', signal);
    const at = now();
    return pods.map((pod, index) =>
      observePod(pod, { now: at, models: parsePodModels(answers[index]) }),
    );
  }

  /** One pod, whatever it is. @returns parsed JSON; null: it does not answer */
  async ask(pod: Pod, path: string, signal: AbortSignal): Promise<unknown> {
    return (await this.#deps.asker.askAll([pod], path, signal))[0] ?? null;
  }
}
