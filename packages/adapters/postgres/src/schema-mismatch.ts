/** This release cannot use the database. The message is a sentence with the reason. */
export class SchemaMismatch extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SchemaMismatch';
  }
}

/** A migration of this release would make the database usable. */
export class SchemaBehind extends SchemaMismatch {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SchemaBehind';
  }
}
