/** The URL of the database is unusable. The message is a sentence with the reason, without a password. */
export class InvalidDatabaseUrl extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InvalidDatabaseUrl';
  }
}
