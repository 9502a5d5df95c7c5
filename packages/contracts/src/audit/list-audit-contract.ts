import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { integer } from '../numeric.ts';
import { page, pageOf } from '../pagination.ts';
import { storableText } from '../text.ts';
import { timeFilter, timestamp } from '../timestamp.ts';

const MAX_FILTER_LENGTH = 100;

export const AuditEntry = z
  .object({
    id: z.int(),
    at: timestamp,
    environment_id: z.int().nullable().describe('Null for actions on the installation.'),
    user_id: z.string().nullable().describe('The account that was signed in.'),
    key_id: z.int().nullable().describe('The key of the request.'),
    action: z.string().describe('The action, such as `confirm` or `delete`.'),
    entity_type: z.string().describe('The kind of the entities, such as `detection` or `key`.'),
    entity_ids: z
      .array(z.union([z.int(), z.string()]))
      .describe('The ids of the entities; those of accounts and settings are texts.'),
    details: z
      .record(z.string(), z.unknown())
      .describe('`actor` is `command` or `service` if no request caused the action.'),
    request_id: z.string().nullable(),
  })
  .meta({ id: 'AuditEntry', description: 'An action on data of the environment.' });

export const listAuditContract = defineContract({
  method: 'GET',
  path: '/api/audit',
  right: 'owner',
  installation: { in: 'query', name: 'scope', startsWith: 'installation' },
  tag: 'Audit',
  summary: 'List what was done, newest first',
  description:
    'Lists the actions in the environment. Requests that only recognize are included if the setting `audit.reads` is true. Entries are kept for `system.audit_retention_days`, also those of a deleted environment.',
  request: {
    query: z.object({
      scope: z
        .enum(['environment', 'installation'])
        .default('environment')
        .describe(
          '`installation`: accounts, sign-ins and settings of the installation, for administrators, who need no environment for it.',
        ),
      action: storableText(MAX_FILTER_LENGTH).optional(),
      entity_type: storableText(MAX_FILTER_LENGTH).optional(),
      entity_id: storableText(MAX_FILTER_LENGTH).optional(),
      user_id: storableText(MAX_FILTER_LENGTH)
        .optional()
        .describe('The account that was signed in.'),
      key_id: integer().optional().describe('The key of the request.'),
      since: timeFilter.optional().describe('Entries at this time or later.'),
      until: timeFilter.optional().describe('Entries before this time.'),
      ...page,
    }),
  },
  responses: { 200: jsonResponse('A page of entries.', pageOf(AuditEntry).meta({ id: 'Audit' })) },
  problems: ['admin_required'],
});
