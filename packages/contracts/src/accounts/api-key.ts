import { z } from 'zod';
import { timestamp } from '../timestamp.ts';

export const KeyType = z
  .enum(['full', 'review', 'read'])
  .describe(
    '`read`: read and recognize. `review`: also decide about faces. `full`: everything in the environment.',
  );

export const ApiKey = z
  .object({
    id: z.int(),
    label: z.string(),
    type: KeyType,
    environment_id: z.int(),
    prefix: z.string().describe('The first characters, by which people recognize the key.'),
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable(),
    created_at: timestamp,
    created_by: z
      .object({ account_id: z.string(), name: z.string() })
      .nullable()
      .describe('The account that made the key; null for keys of the command line.'),
  })
  .meta({ id: 'ApiKey', description: 'A key with which programs call the service.' });

export const ApiKeys = z.object({ items: z.array(ApiKey) }).meta({ id: 'ApiKeys' });
