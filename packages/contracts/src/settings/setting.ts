import { z } from 'zod';

export const SettingValue = z
  .union([z.number(), z.string(), z.boolean(), z.array(z.string())], {
    error: 'Expected a number, a text, true, false or a list of texts',
  })
  .meta({ id: 'SettingValue' });

export const Setting = z.object({ key: z.string(), value: SettingValue }).meta({ id: 'Setting' });

/** The requests for settings of the installation. */
export const SYSTEM_SETTINGS = { in: 'path', name: 'key', startsWith: 'system.' } as const;

export const settingPath = z.object({ key: z.string() });
