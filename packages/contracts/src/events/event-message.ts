import { z } from 'zod';
import { DetectionCreated, DetectionDeleted, DetectionLabeled } from './detection-events.ts';
import {
  IdentityCreated,
  IdentityDeleted,
  IdentityMerged,
  IdentityUpdated,
} from './identity-events.ts';
import { JobDone } from './job-events.ts';

/** Every event, as it is kept in the outbox and published. */
export const EventMessage = z.discriminatedUnion('event', [
  DetectionCreated,
  DetectionLabeled,
  DetectionDeleted,
  IdentityCreated,
  IdentityUpdated,
  IdentityDeleted,
  IdentityMerged,
  JobDone,
]);

export type EventMessage = z.infer<typeof EventMessage>;
