import { AdminRequired, NoEnvironment } from '../access/access-errors.ts';
import type { Database, Transaction } from '../database/database.ts';
import { defaultOf, type SettingDefaults } from '../settings/setting-defaults.ts';
import type { SettingValue } from '../settings/setting-definition.ts';
import { InvalidSetting } from '../settings/setting-errors.ts';
import { settingDefinition, validateSetting } from '../settings/settings-catalog.ts';
import type { SystemSettings } from '../settings/settings-store.ts';
import type { Actor } from '../store/actor.ts';
import type { Scope } from '../store/scope.ts';
import { settingChanged } from '../audit/setting-changed.ts';
import { SETTING_LABEL } from '../webhooks/webhook.ts';

export interface ChangeSettingDeps {
  readonly database: Database;
  readonly systemSettings: SystemSettings;
  readonly settingDefaults: SettingDefaults;
  /** Whether a GPU is available for models now, regardless of the settings. */
  readonly gpuAvailable: (signal?: AbortSignal) => Promise<boolean>;
  /** Checks the address of a webhook. @throws WebhookTargetRefused for an address that the service never calls */
  readonly checkTarget: (url: string) => Promise<void>;
}

export interface ChangeSettingRequest {
  /** Undefined for a setting of the installation that an administrator changes without an environment. */
  readonly scope: Scope | undefined;
  readonly actor: Actor;
  readonly isAdmin: boolean;
  readonly key: string;
  /** Null restores the default. */
  readonly value: unknown;
}

/**
 * Sets a setting of the environment or the installation. Returns the value that is then in effect.
 *
 * @throws SettingNotFound, InvalidSetting, AdminRequired, NoEnvironment, WebhookTargetRefused, TooManyWebhooks,
 *   StoreUnavailable
 */
export async function changeSetting(
  deps: ChangeSettingDeps,
  request: ChangeSettingRequest,
  options: { readonly signal?: AbortSignal } = {},
): Promise<SettingValue> {
  const { scope, actor, isAdmin, key } = request;
  const definition = settingDefinition(key);
  if (definition.scope === 'system' && !isAdmin) {
    throw new AdminRequired(`${key} belongs to the installation: it takes an administrator.`);
  }
  const value = request.value === null ? null : validateSetting(key, request.value);
  await requireAcceptable(deps, { key, value }, options.signal);
  if (definition.scope === 'system') {
    await deps.systemSettings.put(key, value, { actor, signal: options.signal });
  } else {
    if (scope === undefined) throw new NoEnvironment();
    await deps.database.withEntities(
      { ...scope, locks: [] },
      async (tx) => {
        await put(tx, { key, value });
        await tx.audit(settingChanged(key, value));
      },
      options.signal,
    );
  }
  return value ?? defaultOf(key, deps.settingDefaults);
}

interface Change {
  readonly key: string;
  readonly value: SettingValue | null;
}

/** @throws InvalidSetting, WebhookTargetRefused */
async function requireAcceptable(
  { gpuAvailable, checkTarget }: ChangeSettingDeps,
  { key, value }: Change,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (key === SETTING_LABEL && typeof value === 'string' && value !== '') await checkTarget(value);
  if (key === 'system.use_gpu' && value === true && !(await gpuAvailable(signal))) {
    throw new InvalidSetting(`${key} cannot be true: there is no GPU.`);
  }
}

/** Stores a value. The setting `webhook.url` is stored as a webhook. */
async function put(tx: Transaction, { key, value }: Change): Promise<void> {
  if (key !== SETTING_LABEL) await tx.settings.put(key, value);
  else await tx.webhooks.putSetting(typeof value === 'string' && value !== '' ? value : null);
}
