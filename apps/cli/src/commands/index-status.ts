import type { IndexReader } from '@sightline/core/vectors/index-status';
import type { Command } from '../command.ts';
import { NO_INDEX } from '../no-index.ts';
import { openInstallation } from '../open-installation.ts';
import { textTable } from '../text-table.ts';

export const indexStatus: Command = {
  options: { json: { type: 'boolean', default: false } },
  operands: [],
  async run(input) {
    const { options, print, note, signal } = input;
    await using installation = await openInstallation(input);
    const readers = await installation.indexStatus.readers(signal);
    if (options.json === true) print(JSON.stringify(readers));
    else if (readers.length === 0) note(NO_INDEX);
    else for (const line of tableOf(readers)) print(line);
  },
};

function tableOf(readers: readonly IndexReader[]): string[] {
  const head = [
    'reader',
    'state',
    'backlog',
    'draft points',
    'filled',
    'compared',
    'drift',
    'seen',
  ];
  const rows = readers.map((reader) => [
    reader.name,
    reader.state,
    String(reader.backlog),
    reader.filling === null ? '-' : String(reader.filling),
    momentOf(reader.filledAt),
    momentOf(reader.comparedAt),
    driftOf(reader),
    momentOf(reader.lastSeenAt),
  ]);
  return textTable([head, ...rows]);
}

function driftOf({ drift }: IndexReader): string {
  if (drift === null) return '-';
  return `${drift.missing} missing, ${drift.extra} extra, ${drift.stale} stale`;
}

function momentOf(moment: Date | null): string {
  return moment === null ? 'never' : moment.toISOString().slice(0, 19);
}
