import { z } from 'zod';
import { DetectionCreated, DetectionDeleted, DetectionLabeled } from './detection-events.ts';
import {
  IdentityCreated,
  IdentityDeleted,
  IdentityMerged,
  IdentityUpdated,
} from './identity-events.ts';
import { JobDone } from './job-events.ts';

/** An event of any type, in the form that the outbox table stores and publishers send. */
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
