/** The URL of the database is invalid. The message is a sentence with the reason, and contains no password. */
export class InvalidDatabaseUrl extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidDatabaseUrl';
  }
}
