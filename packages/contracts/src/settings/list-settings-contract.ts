import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { timestamp } from '../timestamp.ts';
import { SettingValue } from './setting.ts';

export const SettingDescription = z
  .object({
    key: z.string(),
    value: SettingValue.describe('Current value.'),
    default: SettingValue,
    type: z.enum(['number', 'integer', 'string', 'boolean', 'string_array']),
    description: z.string(),
    scope: z
      .enum(['environment', 'system'])
      .describe('Whether the setting belongs to the environment or to the installation.'),
    min: z.number().nullable().describe('Smallest value; null unless the value is a number.'),
    max: z.number().nullable().describe('Largest value; null unless the value is a number.'),
    options: z
      .array(z.string())
      .nullable()
      .describe('The texts that the value, or the list, may have; null for any text.'),
    max_items: z.int().nullable().describe('Most texts of a list; null for other types.'),
    unit: z
      .enum(['bytes', 'days', 'megabytes', 'pixels', 'requests', 'seconds'])
      .nullable()
      .describe('Unit of a number; null for similarities, scores, qualities and shares.'),
    changed_at: timestamp
      .nullable()
      .describe('Time of the last change; null at the default, and for `webhook.url`.'),
    changed_by: z
      .object({
        account_id: z.string().nullable(),
        name: z.string().nullable().describe('Name of the account.'),
        key_id: z.int().nullable(),
      })
      .nullable()
      .describe(
        'The account or the key that made the last change; null if it is not known. Callers with the right `read` alone do not see it, and only administrators see it for settings of the installation.',
      ),
  })
  .meta({ id: 'SettingDescription' });

export const Settings = z.object({ items: z.array(SettingDescription) }).meta({ id: 'Settings' });

export const listSettingsContract = defineContract({
  method: 'GET',
  path: '/api/settings',
  right: 'read',
  installation: { in: 'query', name: 'scope', startsWith: 'installation' },
  tag: 'Settings',
  summary: 'List all settings',
  description: '`webhook.url` is hidden from read-only keys.',
  request: {
    query: z.object({
      scope: z
        .enum(['environment', 'installation'])
        .default('environment')
        .describe(
          '`environment`: all settings that apply in the environment. `installation`: those of the installation alone, for which administrators need no environment.',
        ),
    }),
  },
  responses: { 200: jsonResponse('The settings with their values and defaults.', Settings) },
  problems: [],
});
