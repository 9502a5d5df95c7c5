import { normalizeEmail } from '@sightline/core/accounts/account';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command } from '../command.ts';
import { openInstallation } from '../open-installation.ts';

/** `sightline user unlock`: lets an account try again whose sign-ins strangers or typing errors have used up. */
export const userUnlock: Command = {
  options: {},
  operands: ['EMAIL'],
  async run(input) {
    const email = normalizeEmail(input.operands[0] ?? '');
    await using installation = await openInstallation(input);
    if ((await installation.accounts.byEmail(email)) === null) {
      throw new StartError(`There is no account ${email}.`);
    }
    const secrets = await installation.openSecrets(input.secretKey);
    const forgotten = await installation.signIns.keyed(secrets).unlock(email);
    input.note(
      forgotten > 0
        ? `${email} may sign in again.`
        : `No sign-in of ${email} failed in the last minutes. If one did, run the command with the SIGHTLINE_SECRET_KEY of the API, which is part of what is stored.`,
    );
  },
};
