import { EmbeddedEventStream } from '@sightline/events/embedded/embedded-event-stream';
import { openStoreFixture } from '../support/fixtures/store-fixture.ts';
import { describeEventStream } from './event-stream.contract.ts';

describeEventStream('events-embedded', async () => {
  const store = await openStoreFixture();
  return {
    store,
    open: () => new EmbeddedEventStream(store.outbox, 20),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
});
