import { ItemStream } from './item-stream.ts';

/** Streams the results of a job. The other members of the answer come first. */
export class ResultStream extends ItemStream<unknown> {
  protected override readonly opening: string;

  constructor(members: object, pages: AsyncIterable<readonly unknown[]>) {
    super(pages);
    this.opening = `${JSON.stringify(members).slice(0, -1)},"results":[`;
  }

  protected override closing(): string {
    return ']}';
  }
}
