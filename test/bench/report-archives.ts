import type { ArchiveFigures, TransferFigures } from './archives/measure-archives.ts';
import { grouped, megabytes, spreadCell } from './cells.ts';
import { markdownTable as table } from './markdown-table.ts';

/** The speed of exports and imports, and the memory that they take. */
export function archivesSection(figures: ArchiveFigures): string {
  const { images, gigabytes, rounds, exported, imported } = figures;
  const many = grouped(images);
  return `## Archives

Made by \`make bench ARGS="--archives --gigabytes ${gigabytes} --rounds ${rounds} --write"\`.

An export of ${many} images with two faces each, ${gigabytes} GB, from the request until its last byte, and an import of the
archive into an empty environment, from the first byte of the request until the answer. The bare loop of an export is a
process that writes the same files as a ZIP into a pipe. That of an import is a process that reads the archive, compares
checksums and writes each file, forced to disk like those of the service. Service, database and client share
the cores. Ratios are computed per round and shown as their median (least to greatest). Memory is the growth of
the service's process since it was idle.

${table(
  ['measure', 'bare loop', 'service', 'ratio', 'aim'],
  [...rowsOf('export', exported), ...rowsOf('import', imported)],
)}`;
}

function rowsOf(name: string, { served, bare, ratio, memory }: TransferFigures): string[][] {
  return [
    [
      `${name} / bare loop, MB/s`,
      bare.toFixed(0),
      served.toFixed(0),
      spreadCell(ratio),
      'at least 0.7',
    ],
    [`memory of an ${name}, MB`, '', megabytes(memory), '', 'at most 300'],
  ];
}
