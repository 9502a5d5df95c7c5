import { afterAll, afterEach, beforeAll, beforeEach, describe } from '@jest/globals';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { describeDrafts, describeIncomplete } from './vector-index/drafts.ts';
import { describeRefusals } from './vector-index/refusals.ts';
import { describeIdentities, describePoints } from './vector-index/searches.ts';
import { TriedIndex, type VectorIndexTraits } from './vector-index/tried-index.ts';
import {
  describeFingerprints,
  describeIsolation,
  describeLists,
  describeWrites,
} from './vector-index/writes.ts';

export interface OpenVectorIndex extends AsyncDisposable {
  readonly index: VectorIndex;
}

/**
 * The contract of all adapters of the VectorIndex port. `open` returns an unfilled index. Each test
 * has an environment of its own. Where a test expects an order, the cosines differ by more than the
 * tolerance, or are equal.
 */
export function describeVectorIndex(
  name: string,
  open: () => Promise<OpenVectorIndex>,
  traits: VectorIndexTraits,
): void {
  describe(`${name} as a vector index`, () => {
    let opened: OpenVectorIndex;
    beforeAll(async () => {
      opened = await open();
      await (await opened.index.begin()).publish();
    });
    afterAll(async () => {
      await opened[Symbol.asyncDispose]();
    });

    const tried = (): TriedIndex => new TriedIndex(opened.index, traits);
    describePoints(tried);
    describeIdentities(tried);
    describeWrites(tried);
    describeLists(tried);
    describeFingerprints(tried);
    describeIsolation(tried);
    describeRefusals(tried);
    describeDrafts(tried);
  });

  describe(`${name} as an unfilled vector index`, () => {
    let opened: OpenVectorIndex;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(async () => {
      await opened[Symbol.asyncDispose]();
    });

    describeIncomplete(() => opened.index);
  });
}
