import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { Setting, settingPath, SettingValue, SYSTEM_SETTINGS } from './setting.ts';

export const putSettingContract = defineContract({
  method: 'PUT',
  path: '/api/settings/{key}',
  right: 'owner',
  installation: SYSTEM_SETTINGS,
  tag: 'Settings',
  summary: 'Change a setting',
  description:
    "The change applies from the next request on. Settings of the installation (`system.*`) need an administrator, in whichever role or without an environment, or an administrator's key.",
  request: {
    path: settingPath,
    body: jsonBody(
      z.object({
        value: SettingValue.nullable().describe(
          "A value of the setting's type. Null resets the setting to its default.",
        ),
      }),
    ),
  },
  responses: { 200: jsonResponse('The current value.', Setting) },
  problems: [...JSON_PROBLEMS, 'not_found', 'admin_required', 'target_refused', 'limit_reached'],
});
