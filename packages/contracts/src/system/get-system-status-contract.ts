import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { Health, HealthEvents, HealthIndex } from '../discovery/get-health-contract.ts';
import { ModelTask } from '../discovery/model-task.ts';
import { timestamp } from '../timestamp.ts';

const count = z.int().min(0);
const seconds = z.number().min(0);

const SystemProcess = z
  .object({
    role: z
      .enum(['service', 'api', 'worker', 'projector', 'dispatcher', 'relay'])
      .describe('`service`: one process with all roles.'),
    id: z.string().nullable().describe('A random id; null for an earlier release.'),
    version: z.string().nullable().describe('Null for an earlier release.'),
    address: z.string().nullable().describe('Null if it is connected on the same machine.'),
    connections: count,
    connected_at: timestamp.nullable(),
    idle_seconds: seconds
      .nullable()
      .describe('Seconds since the process last used the database, which each does all the time.'),
  })
  .meta({ id: 'SystemProcess', description: 'A process that is connected to the database.' });

const SystemInference = z
  .object({
    ready: z.boolean(),
    provider: z.enum(['cpu', 'cuda']),
    has_gpu: z.boolean().nullable(),
    models: z.array(
      z.object({
        name: z.string(),
        task: ModelTask,
        state: z.enum(['fetching', 'disk', 'warming', 'warm', 'failed']),
        error: z.string().nullable(),
        deaths: count.describe('Worker threads that died while they ran the model.'),
      }),
    ),
  })
  .meta({ id: 'SystemInference', description: 'A process that runs models.' });

const SystemJobs = z
  .object({
    type: z.string(),
    jobs: count,
    total: count,
    done: count,
    failed: count,
    still_seconds: seconds.describe('The longest time without progress.'),
    waiting_seconds: seconds.describe(
      'The longest time for which a needed service is unavailable.',
    ),
  })
  .meta({ id: 'SystemJobs', description: 'The unfinished jobs of a type, in all environments.' });

const SystemIndex = HealthIndex.extend({
  name: z
    .string()
    .describe('`shared`, the name of the index of one process, or `similarity` for suggestions.'),
  oldest_seconds: seconds.describe('Age of the oldest change that is not applied yet.'),
  seen_seconds: seconds.describe(
    'Seconds since the last heartbeat of the process that maintains it.',
  ),
}).meta({ id: 'SystemIndex', description: 'An index that follows the changes of the database.' });

export const SystemStatus = z
  .object({
    as_of: timestamp,
    version: z.string().describe('The version of the process that answers.'),
    uptime_seconds: count.describe('The time for which the process that answers runs.'),
    health: Health.pick({ status: true, provider: true, checks: true, reasons: true }),
    requests: z
      .object({
        in_flight: count,
        waiting: count.describe('Requests that wait for a change. They are not in flight.'),
        limit: count,
      })
      .describe('The requests of the process that answers.'),
    processes: z.array(SystemProcess).nullable(),
    inference: z
      .array(SystemInference)
      .nullable()
      .describe('The processes that run models, or the one process that does everything.'),
    jobs: z.array(SystemJobs).nullable(),
    indexes: z.array(SystemIndex).nullable(),
    outbox: z
      .object({
        events: count.describe('Events in the outbox, also those that are processed; an estimate.'),
        oldest_transaction_seconds: seconds.describe(
          'Age of the oldest open transaction. Events of later ones wait for its end.',
        ),
      })
      .nullable(),
    events: HealthEvents.nullable(),
    deliveries: z
      .object({
        first: count.describe('Messages to webhooks that wait for their first attempt.'),
        repeated: count.describe('Messages that wait for another attempt.'),
        oldest_seconds: seconds.describe('How long the oldest first attempt has waited.'),
      })
      .nullable()
      .describe('Both are counted up to 100,000.'),
    storage: z.object({
      stored_bytes: count.nullable().describe('Images and crops of all environments.'),
      set_aside_bytes: count
        .nullable()
        .describe('The part of it that belongs to deleted records, which an undo brings back.'),
      free_bytes: count.nullable().describe('Null if the store does not report the free space.'),
      database_bytes: count.nullable(),
      database_free_bytes: count
        .nullable()
        .describe('Null if the database is not in the data folder of the process that answers.'),
    }),
  })
  .meta({ id: 'SystemStatus' });

export const getSystemStatusContract = defineContract({
  method: 'GET',
  path: '/api/system/status',
  right: 'administrator',
  tag: 'System',
  summary: 'Get the state of the installation',
  description:
    'Only for sessions of administrators. A part is null if it could not be read within two seconds. The parts are read at most once a second, for all callers together.',
  request: {},
  responses: { 200: jsonResponse('The state of the installation.', SystemStatus) },
  problems: [],
});
