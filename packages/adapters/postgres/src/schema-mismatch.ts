/** This version cannot work with the database; the message says why, in a sentence. */
export class SchemaMismatch extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SchemaMismatch';
  }
}

/** A migration of this version mends it. */
export class SchemaBehind extends SchemaMismatch {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SchemaBehind';
  }
}
