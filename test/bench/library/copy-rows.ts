import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { getTableColumns } from '@sightline/postgres/drizzle';
import type pg from 'pg';

type Table = Parameters<typeof getTableColumns>[0];

/** Bytes that are sent together, roughly. */
const CHUNK = 1 << 16;

/** What the driver has for COPY; its types do not mention it. */
interface CopyConnection {
  readonly stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/**
 * Inserts rows by COPY, as fast as the server takes them. The columns are the members of the first row;
 * all others take their defaults.
 *
 * @param table of the schema
 * @returns how many rows there were
 * @throws the server's errors, and what the rows throw
 */
export async function copyRows<T extends Table>(
  client: pg.Client,
  table: T,
  rows: Iterable<RowOf<T>>,
): Promise<number> {
  const copy = new Copy(table, rows);
  if (copy.isEmpty) return 0;
  client.query(copy);
  return copy.ended;
}

/** A row with its id, also where the database would make one. */
export type RowOf<T extends Table> = T['$inferInsert'] & { readonly id?: number };

interface CopiedColumn {
  readonly member: string;
  readonly name: string;
  readonly toDriver: (value: unknown) => unknown;
}

class Copy<T extends Table> implements pg.Submittable {
  readonly ended: Promise<number>;
  readonly #settle = Promise.withResolvers<number>();
  readonly #table: T;
  readonly #rows: Iterator<RowOf<T>>;
  readonly #columns: readonly CopiedColumn[];
  #row: IteratorResult<RowOf<T>>;
  #count = 0;
  #failure: unknown = null;

  constructor(table: T, rows: Iterable<RowOf<T>>) {
    this.#table = table;
    this.#rows = rows[Symbol.iterator]();
    this.#row = this.#rows.next();
    this.#columns = columnsOf(table, this.#row.done === true ? {} : this.#row.value);
    this.ended = this.#settle.promise;
  }

  get isEmpty(): boolean {
    return this.#row.done === true;
  }

  readonly submit = (connection: unknown): void => {
    const names = this.#columns.map(({ name }) => `"${name}"`).join(', ');
    (connection as CopyConnection).query(`COPY ${nameOf(this.#table)} (${names}) FROM STDIN`);
  };

  readonly handleCopyInResponse = (connection: CopyConnection): void => {
    this.#send(connection).then(
      () => connection.endCopyFrom(),
      (error: unknown) => {
        this.#failure = error;
        connection.sendCopyFail('The rows have failed.');
      },
    );
  };

  readonly handleCommandComplete = (): void => undefined;

  readonly handleError = (error: unknown): void => {
    this.#failure ??= error;
    this.#settle.reject(this.#failure);
  };

  readonly handleReadyForQuery = (): void => this.#settle.resolve(this.#count);

  async #send(connection: CopyConnection): Promise<void> {
    let text = '';
    for (; this.#row.done !== true && this.#failure === null; this.#row = this.#rows.next()) {
      text += toLine(this.#columns, this.#row.value);
      this.#count++;
      if (text.length < CHUNK) continue;
      connection.sendCopyFromChunk(Buffer.from(text));
      text = '';
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
    }
    if (text !== '') connection.sendCopyFromChunk(Buffer.from(text));
  }
}

function nameOf(table: Table): string {
  return `"${(table as Table & Record<symbol, string>)[Symbol.for('drizzle:Name')]!}"`;
}

function columnsOf(table: Table, row: object): readonly CopiedColumn[] {
  const columns = getTableColumns(table);
  return Object.keys(row).map((member) => {
    const column = columns[member];
    if (column === undefined) throw new Error(`${nameOf(table)} has no column for ${member}.`);
    return { member, name: column.name, toDriver: (value) => column.mapToDriverValue(value) };
  });
}

function toLine(columns: readonly CopiedColumn[], row: object): string {
  let line = '';
  let separator = '';
  for (const { member, toDriver } of columns) {
    const value = (row as Record<string, unknown>)[member];
    line += separator + (value === null || value === undefined ? '\\N' : toField(toDriver(value)));
    separator = '\t';
  }
  return `${line}\n`;
}

function toField(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Uint8Array) {
    return `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
  }
  return (value as string).replace(/[\\\t\n\r]/g, escapeCharacter);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function escapeCharacter(character: string): string {
  return ESCAPES[character]!;
}
