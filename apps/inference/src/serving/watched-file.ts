import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** The kubelet exchanges the whole folder of a mounted file, which watches of the file do not see. */
const POLL_MS = 250;

/**
 * The text of a file, and then each other text that it has. A file that is not there, or cannot be read, has its
 * former text: it may be exchanged at this moment. Ends on abort.
 */
export async function* watchFile(path: string, signal: AbortSignal): AsyncGenerator<string> {
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
