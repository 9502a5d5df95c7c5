import {
  listSettingsContract,
  type SettingDescription,
} from '@sightline/contracts/settings/list-settings-contract';
import { type Caller, includesRight } from '@sightline/core/access/caller';
import { defaultOf } from '@sightline/core/settings/setting-defaults';
import type { SettingDefinition } from '@sightline/core/settings/setting-definition';
import { SETTINGS } from '@sightline/core/settings/settings-catalog';
import type { SettingChange } from '@sightline/core/settings/settings-store';
import type { Scope } from '@sightline/core/store/scope';
import type { z } from 'zod';
import type { ApiContext } from '../../context/api-context.ts';
import { defineRoute } from '../../http/define-route.ts';
import { currentValue, presentValue, storedValues } from './current-value.ts';
import { maySee } from './visible-setting.ts';

type Description = z.input<typeof SettingDescription>;

export const listSettingsRoute = defineRoute(listSettingsContract, {
  async handler(context, { query, caller, scope, signal }) {
    const { settingDefaults } = context;
    const [stored, changes] = await Promise.all([
      storedValues(context, scope, signal),
      readChanges(context, scope, signal),
    ]);
    const isListed = (key: string, definition: SettingDefinition) =>
      query.scope === 'installation' ? definition.scope === 'system' : maySee(caller, key);
    const items = Object.entries<SettingDefinition>(SETTINGS)
      .filter(([key, definition]) => isListed(key, definition))
      .map(([key, definition]) => ({
        key,
        value: currentValue(key, stored, settingDefaults),
        default: presentValue(defaultOf(key, settingDefaults)),
        type: definition.type,
        description: definition.description,
        scope: definition.scope,
        ...presentLimits(definition),
        changed_at: changes.of(key)?.at.toISOString() ?? null,
        changed_by: maySeeAuthor(caller, definition) ? changes.authorOf(key) : null,
      }));
    return { status: 200, body: { items } };
  },
});

async function readChanges(
  { database, systemSettings, accounts }: ApiContext,
  scope: Scope | undefined,
  signal: AbortSignal,
) {
  const changes = await (scope === undefined
    ? systemSettings.changes(signal)
    : database.withScope(scope, ({ settings }) => settings.changes(), signal));
  const ids = [...changes.values()].flatMap(({ accountId }) => accountId ?? []);
  const names = await accounts.names([...new Set(ids)], signal);
  return {
    of: (key: string): SettingChange | undefined => changes.get(key),
    authorOf: (key: string): Description['changed_by'] => {
      const { accountId = null, keyId = null } = changes.get(key) ?? {};
      if (accountId === null && keyId === null) return null;
      const name = accountId === null ? null : (names.get(accountId) ?? null);
      return { account_id: accountId, name, key_id: keyId };
    },
  };
}

/** An installation may have many tenants, who need not know its administrators. */
function maySeeAuthor(caller: Caller | undefined, { scope }: SettingDefinition): boolean {
  if (caller === undefined || caller.isAdmin) return true;
  return scope === 'environment' && includesRight(caller.right, 'review');
}

function presentLimits({ range, options, maxItems, unit }: SettingDefinition) {
  return {
    min: range?.min ?? null,
    max: range?.max ?? null,
    options: options === undefined ? null : [...options],
    max_items: maxItems ?? null,
    unit: unit ?? null,
  };
}
