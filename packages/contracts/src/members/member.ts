import { z } from 'zod';
import { flag } from '../flag.ts';
import { integer } from '../numeric.ts';
import { storableText } from '../text.ts';
import { emailVerified } from '../accounts/user.ts';
import { timestamp } from '../timestamp.ts';

const UUID_LENGTH = 36;

export const Role = z.enum(['viewer', 'reviewer', 'editor', 'owner']);

export const accountId = storableText(UUID_LENGTH);

export const memberPath = z.object({ id: integer(), account_id: accountId });

export const keepKeys = z.object({
  keep_keys: flag
    .default(false)
    .describe(
      'Whether the caller takes over the keys that the member has made in the environment. Otherwise every process refuses them within five seconds.',
    ),
});

export const Member = z
  .object({
    account_id: z.string(),
    email: z.string(),
    email_verified: emailVerified,
    name: z.string(),
    role: Role,
    since: timestamp,
  })
  .meta({ id: 'Member', description: 'An account that may use an environment.' });
