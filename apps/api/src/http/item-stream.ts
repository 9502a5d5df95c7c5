/** A list that is sent while it is read: a list that is requested as a whole can have any length. */
export class ItemStream<Item> {
  /** The whole list is in the form of a last page. */
  protected readonly opening: string = '{"items":[';
  protected readonly closing: string = '],"next_cursor":null,"has_more":false}';
  readonly #pages: AsyncIterable<readonly Item[]>;

  constructor(pages: AsyncIterable<readonly Item[]>) {
    this.#pages = pages;
  }

  /** The list as JSON, in chunks of one page that was read. */
  async *json(): AsyncGenerator<string> {
    let separator = this.opening;
    for await (const page of this.#pages) {
      if (page.length === 0) continue;
      yield separator + page.map((item) => JSON.stringify(item)).join(',');
      separator = ',';
    }
    const begin = separator === ',' ? '' : separator;
    yield begin + this.closing;
  }
}
