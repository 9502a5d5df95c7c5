import { StartError } from '../lifecycle/start-error.ts';
import { readSecret } from './read-secret.ts';
import { type Config, VARIABLES } from './variable-groups.ts';

export interface GivenAdministrator {
  readonly email: string;
  readonly password: string;
}

const PASSWORD_LENGTH = { least: 10, most: 200 };

/**
 * Reads the first administrator; null if none is configured.
 *
 * @throws StartError if only one of address and password is set, or one of them is invalid
 */
export function readAdministrator(config: Config<'accounts'>): GivenAdministrator | null {
  const { adminEmail: email } = config;
  const password = readSecret(config, { given: 'adminPassword', file: 'adminPasswordFile' });
  if (email === null && password === null) return null;
  const [emailName, passwordName] = [VARIABLES.adminEmail.name, VARIABLES.adminPassword.name];
  if (email === null || password === null) {
    throw new StartError(`${emailName} and ${passwordName} are set together, or neither of them.`);
  }
  if (password.length < PASSWORD_LENGTH.least || password.length > PASSWORD_LENGTH.most) {
    throw new StartError(
      `${passwordName} has to have ${PASSWORD_LENGTH.least} to ${PASSWORD_LENGTH.most} characters.`,
    );
  }
  return { email, password };
}
