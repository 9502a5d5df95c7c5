import { z } from 'zod';
import { timestamp } from '../timestamp.ts';
import { Role } from './member.ts';

export const Invitation = z
  .object({ id: z.int(), email: z.string(), role: Role, expires_at: timestamp })
  .meta({ id: 'Invitation', description: 'An invitation that was not accepted yet.' });
