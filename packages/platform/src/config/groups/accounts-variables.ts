import { z } from 'zod';
import { optionalText, variable } from '../variable.ts';

export const ACCOUNTS_VARIABLES = {
  publicUrl: variable({
    name: 'SIGHTLINE_PUBLIC_URL',
    description:
      'Address under which browsers reach the API, such as https://faces.example.org; sessions are valid only for requests from its pages, and their cookies are Secure if it is an https address; if absent, sessions are valid for pages of the host that a request names',
    default: null,
    schema: z
      .string()
      .refine(
        (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
        'has to be an http or https address',
      )
      .nullable(),
  }),
  adminEmail: variable({
    name: 'SIGHTLINE_ADMIN_EMAIL',
    description:
      'E-mail address of the first administrator, who is created when the installation has no account yet; needs a password',
    default: null,
    schema: optionalText(),
  }),
  adminPassword: variable({
    name: 'SIGHTLINE_ADMIN_PASSWORD',
    description:
      'Password of the first administrator, 10 to 200 characters. If neither is set, `make start` creates admin@localhost with a password that it writes into the data folder; API processes in a cluster create no account then',
    default: null,
    secret: true,
    schema: optionalText(),
  }),
  adminPasswordFile: variable({
    name: 'SIGHTLINE_ADMIN_PASSWORD_FILE',
    description: 'File that contains the password of the first administrator',
    default: null,
    schema: optionalText(),
  }),
};
