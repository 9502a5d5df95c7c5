import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { SettingValue } from './setting.ts';

export const SettingDescription = z
  .object({
    key: z.string(),
    value: SettingValue.describe('What holds now.'),
    default: SettingValue,
    type: z.enum(['number', 'integer', 'string', 'boolean', 'string_array']),
    description: z.string(),
    scope: z
      .enum(['environment', 'system'])
      .describe("Whose it is: the environment's, or the installation's."),
  })
  .meta({ id: 'SettingDescription' });

export const Settings = z.object({ items: z.array(SettingDescription) }).meta({ id: 'Settings' });

export const listSettingsContract = defineContract({
  method: 'GET',
  path: '/api/settings',
  right: 'read',
  tag: 'Settings',
  summary: 'All settings',
  description: 'For a key that only reads, `webhook.url` is left out.',
  request: {},
  responses: { 200: jsonResponse('The settings with their values and defaults.', Settings) },
  problems: [],
});
