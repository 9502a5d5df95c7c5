import { optionalText, variable } from '../variable.ts';

export const SECRET_KEY_VARIABLES = {
  secretKey: variable({
    name: 'SIGHTLINE_SECRET_KEY',
    description:
      'Key for encrypting webhook secrets, and passwords in URLs of images until a job has fetched them: 32 bytes in base64, the same for all processes, for example from `openssl rand -base64 32`; unset: the service creates a key in its data folder; without a data folder both are refused',
    default: null,
    secret: true,
    schema: optionalText(),
  }),
  secretKeyFile: variable({
    name: 'SIGHTLINE_SECRET_KEY_FILE',
    description: 'File that contains the key for encrypting webhook secrets and passwords in URLs',
    default: null,
    schema: optionalText(),
  }),
};
