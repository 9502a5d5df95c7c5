import { optionalText, variable } from '../variable.ts';

/** What processes read that sign with secrets of callers. */
export const SECRET_KEY_VARIABLES = {
  secretKey: variable({
    name: 'SIGHTLINE_SECRET_KEY',
    description:
      'Key that secrets of webhooks are encrypted with: 32 bytes in base64, the same for all processes, for example from `openssl rand -base64 32`; unset: one is made in the data folder if there is one, else there are no secrets',
    default: null,
    secret: true,
    schema: optionalText(),
  }),
  secretKeyFile: variable({
    name: 'SIGHTLINE_SECRET_KEY_FILE',
    description: 'File that contains that key',
    default: null,
    schema: optionalText(),
  }),
};
