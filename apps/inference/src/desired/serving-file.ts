import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DesiredModels } from '@sightline/core/models/desired-models';
import type { Logger } from '@sightline/platform/logging/logger';
import type { DesiredModelsSource } from './desired-models-source.ts';
import { parseDesiredModels } from './parse-desired-models.ts';

/** Files are polled, because the kubelet replaces a mounted file's whole folder, and a watch would not notice that. */
const POLL_MS = 250;

/** Follows the desired models in a file. An invalid file changes nothing. */
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
      this.#logger.info({ models }, 'read the desired models from the serving file');
      return desired;
    } catch (error) {
      this.#logger.error(
        { err: error },
        'the serving file is not valid; the previous models stay in use',
      );
      return null;
    }
  }
}

/**
 * Yields the text of a file, and again after each change, until the signal aborts. A missing or unreadable file yields
 * nothing, because it may just be being replaced.
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
