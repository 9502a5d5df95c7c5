import { DomainError } from '../domain-error.ts';

/** The installation cannot encrypt secrets. */
export class NoSecretKey extends DomainError {
  readonly code = 'no_secret_key';

  constructor() {
    super('The installation has no key to encrypt secrets with: set SIGHTLINE_SECRET_KEY.');
  }
}

/** A stored secret was encrypted with a key that this process does not have. */
export class UnknownSecretKey extends DomainError {
  readonly code = 'no_secret_key';

  constructor(id: string) {
    super(
      `The secret was encrypted with the key ${id}, which the installation no longer has: give that key in a second line of SIGHTLINE_SECRET_KEY or of its file.`,
    );
  }
}
