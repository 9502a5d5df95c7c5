/** A list that is written as it is read: lists that are asked for whole can be of any length. */
export class ItemStream<Item> {
  readonly #pages: AsyncIterable<readonly Item[]>;

  constructor(pages: AsyncIterable<readonly Item[]>) {
    this.#pages = pages;
  }

  /** The JSON of the last page of a list, page by page of what it is read from. */
  async *json(): AsyncGenerator<string> {
    let separator = '{"items":[';
    for await (const page of this.#pages) {
      if (page.length === 0) continue;
      yield separator + page.map((item) => JSON.stringify(item)).join(',');
      separator = ',';
    }
    const begin = separator === ',' ? '' : separator;
    yield `${begin}],"next_cursor":null,"has_more":false}`;
  }
}
