import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
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
