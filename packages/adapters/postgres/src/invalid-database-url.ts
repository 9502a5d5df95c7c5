/** The URL of the database cannot be used; the message says why, in a sentence without a password. */
export class InvalidDatabaseUrl extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidDatabaseUrl';
  }
}
