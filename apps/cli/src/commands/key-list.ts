import type { ApiKeyRecord, Environment } from '@sightline/core/api-keys/key-store';
import type { Command } from '../command.ts';
import { openInstallation } from '../open-installation.ts';
import { textTable } from '../text-table.ts';

export const keyList: Command = {
  options: { json: { type: 'boolean', default: false } },
  operands: [],
  async run(input) {
    const { options, print } = input;
    await using installation = await openInstallation(input);
    const { keys } = installation;
    const [records, environments] = [await keys.list(), await keys.environments()];
    if (options.json === true) print(JSON.stringify(records));
    else for (const line of tableOf(records, environments)) print(line);
  },
};

function tableOf(records: readonly ApiKeyRecord[], environments: readonly Environment[]): string[] {
  const names = new Map(environments.map(({ id, name }) => [id, name]));
  const head = ['id', 'begins', 'environment', 'right', 'label', 'created', 'last used', 'state'];
  const rows = records.map((record) => [
    String(record.id),
    record.prefix,
    names.get(record.environmentId) ?? String(record.environmentId),
    record.isAdmin ? `${record.right}, admin` : record.right,
    record.label,
    day(record.createdAt),
    record.lastUsedAt === null ? 'never' : day(record.lastUsedAt),
    stateOf(record),
  ]);
  return textTable([head, ...rows]);
}

function stateOf({ revokedAt, expiresAt }: ApiKeyRecord): string {
  if (revokedAt !== null) return `revoked ${day(revokedAt)}`;
  if (expiresAt === null) return 'valid';
  return expiresAt.getTime() > Date.now()
    ? `valid to ${day(expiresAt)}`
    : `expired ${day(expiresAt)}`;
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
