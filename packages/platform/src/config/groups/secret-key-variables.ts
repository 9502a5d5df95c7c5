import { optionalText, variable } from '../variable.ts';

export const SECRET_KEY_VARIABLES = {
  secretKey: variable({
    name: 'SIGHTLINE_SECRET_KEY',
    description:
      'Key for encrypting webhook secrets, passwords in URLs of images until a job has fetched them, and sign-ins at an OpenID provider: 32 bytes in base64, the same for all processes, for example from `openssl rand -base64 32`. A second line may have the previous key, which then still decrypts. Unset: the service creates a key in its data folder; without a data folder all of them are refused',
    default: null,
    secret: true,
    schema: optionalText(),
  }),
  secretKeyFile: variable({
    name: 'SIGHTLINE_SECRET_KEY_FILE',
    description:
      'File that contains the key for encrypting webhook secrets and passwords in URLs, and possibly the previous key in a second line; processes read it again while they run',
    default: null,
    schema: optionalText(),
  }),
};
