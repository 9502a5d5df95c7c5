import { ItemStream } from './item-stream.ts';

/** All ids of a list, which have no pages. */
export class IdStream extends ItemStream<number> {
  protected override readonly opening = '{"ids":[';

  protected override closing(): string {
    return ']}';
  }
}
