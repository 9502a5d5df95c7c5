import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DesiredModels } from '@sightline/core/models/desired-models';
import type { Logger } from '@sightline/platform/logging/logger';
import type { DesiredModelsSource } from './desired-models-source.ts';
import { parseDesiredModels } from './parse-desired-models.ts';

/** The kubelet replaces the whole folder of a mounted file, which watches of the file do not see. */
const POLL_MS = 250;

/** The desired models in a file, which may change. A file that cannot be used changes nothing. */
export class ServingFile implements DesiredModelsSource {
  readonly #path: string;
  readonly #logger: Logger;

  constructor(path: string, logger: Logger) {
    this.#path = path;
    this.#logger = logger;
  }

  async follow(apply: (desired: DesiredModels) => void, signal: AbortSignal): Promise<void> {
    for await (const text of watchFile(this.#path, signal)) {
      const desired = this.#parse(text);
      if (desired !== null && !signal.aborted) apply(desired);
    }
  }

  #parse(text: string): DesiredModels | null {
    try {
      const desired = parseDesiredModels(text);
      const models = desired.models.map(({ name, revision }) => name ?? revision);
      this.#logger.info({ models }, 'the serving file was read');
      return desired;
    } catch (error) {
      this.#logger.error({ err: error }, 'the serving file cannot be used');
      return null;
    }
  }
}

/**
 * The text of a file, and then each other text that it has. A file that does not exist, or cannot be read, keeps its
 * last text: it may be replaced at this moment. Ends on abort.
 */
async function* watchFile(path: string, signal: AbortSignal): AsyncGenerator<string> {
  let known: string | null = null;
  while (!signal.aborted) {
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text !== null && text !== known) {
      known = text;
      yield text;
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}
