import { describe } from '@jest/globals';
import { skipWithout } from '../gates/skip-without.ts';
import { chooseQdrant, liveQdrant, type TestQdrant } from './choose-qdrant.ts';
import { hasTool } from './tools.ts';

const LINKED = 'one that "make tools" links from the shared folder';

/**
 * Describes a suite that needs a Qdrant. It is skipped if there is no Qdrant. The body gets the
 * function that starts a Qdrant.
 */
export function describeWithQdrant(
  name: string,
  body: (start: () => Promise<TestQdrant>) => void,
): void {
  const start = chooseQdrant();
  if (start !== null) describe(name, () => body(() => liveQdrant(start)));
  else
    skipWithout(`a Qdrant: SIGHTLINE_TEST_QDRANT_URL, Docker, or ${LINKED}`, name, () =>
      body(() => Promise.reject(new Error('There is no Qdrant.'))),
    );
}

/**
 * Describes a suite that kills and stops its Qdrant, which must therefore be a process of this
 * machine.
 */
export function describeWithQdrantProcess(name: string, body: () => void): void {
  if (hasTool('qdrant')) describe(name, body);
  else skipWithout(`a Qdrant: ${LINKED}`, name, body);
}
