import { SETTING_LABEL } from '../webhooks/webhook.ts';
import type { AuditEntry } from './audit-entry.ts';

/** The entry of a changed setting. An address may contain a secret, so only its presence is recorded. */
export function settingChanged(key: string, value: unknown): AuditEntry<'setting'> {
  const isSecret = key === SETTING_LABEL;
  const shown = isSecret ? value !== null && value !== '' : value;
  return { entity: 'setting', action: 'change', ids: [key], details: { value: shown } };
}
