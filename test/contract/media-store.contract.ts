import { afterAll, beforeAll, describe } from '@jest/globals';
import type { MediaStore } from '@sightline/core/media/media-store';
import { describeAborts } from './media-store/aborts.ts';
import { describeLists } from './media-store/lists.ts';
import { describeObjects } from './media-store/objects.ts';
import { describeRanges } from './media-store/ranges.ts';
import { describeRefusals } from './media-store/refusals.ts';

export interface OpenMediaStore extends AsyncDisposable {
  readonly store: MediaStore;
}

/**
 * The contract of all adapters of the MediaStore port. The store that `open` returns may hold other objects:
 * each test has an environment of its own.
 */
export function describeMediaStore(name: string, open: () => Promise<OpenMediaStore>): void {
  describe(`${name} as a media store`, () => {
    let opened: OpenMediaStore;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(async () => {
      await opened[Symbol.asyncDispose]();
    });

    describeObjects(() => opened.store);
    describeRanges(() => opened.store);
    describeLists(() => opened.store);
    describeAborts(() => opened.store);
    describeRefusals(() => opened.store);
  });
}
