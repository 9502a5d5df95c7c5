/** Streams a list while it is read from the database, because a whole list can have any length. */
export class ItemStream<Item, Members extends object = object> {
  protected readonly opening: string = '{"items":[';
  readonly #pages: AsyncIterable<readonly Item[]>;
  readonly #members: () => Members;

  /** @param members returns further members of the answer; called after the last read */
  constructor(pages: AsyncIterable<readonly Item[]>, members = (): Members => ({}) as Members) {
    this.#pages = pages;
    this.#members = members;
  }

  /** The list as JSON, in one chunk for each page that is read. */
  async *json(): AsyncGenerator<string> {
    let separator = this.opening;
    for await (const page of this.#pages) {
      if (page.length === 0) continue;
      yield separator + page.map((item) => JSON.stringify(item)).join(',');
      separator = ',';
    }
    const begin = separator === ',' ? '' : separator;
    yield begin + this.closing();
  }

  /** The end of the answer, with the members of a last page, because no item follows. */
  protected closing(): string {
    const members = JSON.stringify({ next_cursor: null, has_more: false, ...this.#members() });
    return `],${members.slice(1)}`;
  }
}
