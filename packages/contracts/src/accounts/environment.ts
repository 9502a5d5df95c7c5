import { z } from 'zod';
import { timestamp } from '../timestamp.ts';
import { Role } from '../members/member.ts';

export const Environment = z
  .object({
    id: z.int(),
    name: z.string(),
    role: Role.describe(
      'The rights of the account in the environment; each role includes those before it.',
    ),
    created_at: timestamp,
  })
  .meta({
    id: 'Environment',
    description: 'A space with its own people, photos, settings, keys and webhooks.',
  });

export const Environments = z.object({ items: z.array(Environment) }).meta({ id: 'Environments' });
