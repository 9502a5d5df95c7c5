import { defineContract, jsonResponse } from '../define-contract.ts';
import { Setting, settingPath, SYSTEM_SETTINGS } from './setting.ts';

export const getSettingContract = defineContract({
  method: 'GET',
  path: '/api/settings/{key}',
  right: 'read',
  installation: SYSTEM_SETTINGS,
  tag: 'Settings',
  summary: 'Get the value of a setting',
  description:
    '`webhook.url` is hidden from read-only keys. Administrators read settings of the installation (`system.*`) without an environment.',
  request: { path: settingPath },
  responses: { 200: jsonResponse('The current value.', Setting) },
  problems: ['not_found', 'forbidden'],
});
