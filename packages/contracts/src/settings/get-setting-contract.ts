import { defineContract, jsonResponse } from '../define-contract.ts';
import { Setting, settingPath } from './setting.ts';

export const getSettingContract = defineContract({
  method: 'GET',
  path: '/api/settings/{key}',
  right: 'read',
  tag: 'Settings',
  summary: 'The value of a setting',
  description: '`webhook.url` is not for a key that only reads.',
  request: { path: settingPath },
  responses: { 200: jsonResponse('The value that holds now.', Setting) },
  problems: ['not_found', 'forbidden'],
});
