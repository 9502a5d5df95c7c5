import { z } from 'zod';
import { isLoopbackHost } from '../is-loopback-host.ts';
import { oneOf, optionalText, variable } from '../variable.ts';

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
      .refine((text) => {
        const url = URL.parse(text);
        return url === null || url.href === `${url.origin}/`;
      }, 'has to be an address without a path, because the service answers at the root of its host')
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
  oidcIssuer: variable({
    name: 'SIGHTLINE_OIDC_ISSUER',
    description:
      'Issuer of an OpenID provider by which people sign in, such as https://login.example.org/realms/staff; needs SIGHTLINE_PUBLIC_URL, an id and a secret of a client',
    default: null,
    schema: z
      .string()
      .refine(
        isIssuer,
        'has to be an https address without a query and credentials, or an http address of this machine',
      )
      .nullable(),
  }),
  oidcClientId: variable({
    name: 'SIGHTLINE_OIDC_CLIENT_ID',
    description:
      'Id of this installation at the OpenID provider, where its redirect address is the public address with /api/auth/oidc/callback',
    default: null,
    schema: optionalText(),
  }),
  oidcClientSecret: variable({
    name: 'SIGHTLINE_OIDC_CLIENT_SECRET',
    description: 'Secret of this installation at the OpenID provider',
    default: null,
    secret: true,
    schema: optionalText(),
  }),
  oidcClientSecretFile: variable({
    name: 'SIGHTLINE_OIDC_CLIENT_SECRET_FILE',
    description:
      'File that contains the secret of this installation at the OpenID provider; it is read again while the process runs',
    default: null,
    schema: optionalText(),
  }),
  oidcSignUp: variable({
    name: 'SIGHTLINE_OIDC_SIGN_UP',
    description:
      'on: people whom the OpenID provider knows get an account at their first sign-in, if it has checked their e-mail address and no account has that address; off: only people with an account or an invitation sign in',
    default: 'off',
    schema: oneOf(['off', 'on']),
  }),
};

/** Whether a text is an address of an issuer. Only a provider on the same machine may have an http address. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username + url.password + url.search + url.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}
