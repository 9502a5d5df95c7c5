import { ItemStream } from './item-stream.ts';

/** Streams all ids of a list, because lists of ids have no pages. */
export class IdStream extends ItemStream<number> {
  protected override readonly opening = '{"ids":[';

  protected override closing(): string {
    return ']}';
  }
}
