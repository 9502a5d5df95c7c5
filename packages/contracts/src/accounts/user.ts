import { z } from 'zod';
import { givenLabel } from '../identities/given-label.ts';
import { storableText } from '../text.ts';
import { timestamp } from '../timestamp.ts';

export const LEAST_PASSWORD_LENGTH = 10;
const MAX_PASSWORD_LENGTH = 200;
/** The most characters of an address that mail servers accept (RFC 5321, 4.5.3.1). */
const MAX_EMAIL_LENGTH = 254;
/** The longest tags of languages have 35 characters (RFC 5646, 4.4.1). */
const MAX_LOCALE_LENGTH = 35;

export const emailVerified = z
  .boolean()
  .describe(
    'Whether an administrator gave the e-mail address or vouches for it. False for an account that an invitation of another account created: nothing shows that the address is that of its person.',
  );

export const User = z
  .object({
    id: z.string(),
    email: z.string(),
    email_verified: emailVerified,
    name: z.string(),
    is_admin: z.boolean(),
    disabled: z
      .boolean()
      .describe('Whether sign-ins, sessions and keys of the account are refused.'),
    must_change_password: z
      .boolean()
      .describe(
        'Whether another person or the service made the password. If an administrator made it, the account can do nothing before it is changed.',
      ),
    created_at: timestamp,
  })
  .meta({ id: 'User', description: 'A person who can sign in.' });

/** The ways to sign in: with a password, and with a login of the OpenID provider. */
export const wayToSignIn = z.enum(['password', 'oidc']);

export const Profile = User.extend({
  sign_in: z.array(wayToSignIn).describe('The ways in which the account may sign in.'),
  locale: z.string().nullable().describe('The language of the pages; null if the browser decides.'),
  default_environment_id: z
    .int()
    .nullable()
    .describe(
      'The environment of requests without `X-Environment-Id`; null if it is the oldest one of the account.',
    ),
}).meta({ id: 'Profile', description: 'The account of the caller.' });

/** The address of a given account; `admin@localhost` is one, too. */
export const givenEmail = z
  .string()
  .trim()
  .max(MAX_EMAIL_LENGTH)
  .regex(z.regexes.html5Email, { error: 'Expected an e-mail address' })
  .meta({ format: 'email' });

export const newPassword = z
  .string()
  .min(LEAST_PASSWORD_LENGTH)
  .max(MAX_PASSWORD_LENGTH)
  .refine((text) => text.isWellFormed(), { error: 'Unpaired surrogates are not characters' })
  .meta({ format: 'password' });

/** A password that is compared, and may be older than the rules of new ones. */
export const givenPassword = z.string().max(MAX_PASSWORD_LENGTH).meta({ format: 'password' });

export const givenName = givenLabel;

export const givenLocale = storableText(MAX_LOCALE_LENGTH).regex(
  /^[A-Za-z]{2,8}(?:-[A-Za-z\d]{1,8})*$/,
  { error: 'Expected the tag of a language, such as de or pt-BR' },
);
