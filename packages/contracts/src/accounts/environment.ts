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

/** An environment, possibly one that is being deleted. */
export const KnownEnvironment = Environment.extend({
  deleting: z
    .object({
      total: z.int().min(0).describe('Number of images, faces and objects at the request.'),
      done: z.int().min(0).describe('How many of them are deleted. Other data may follow.'),
    })
    .nullable()
    .describe('The progress of the deletion; null unless an owner has requested it.'),
}).meta({
  id: 'KnownEnvironment',
  description: 'An environment with the progress of its deletion.',
});

export const Environments = z.object({ items: z.array(Environment) }).meta({ id: 'Environments' });
