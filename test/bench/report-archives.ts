import { format } from 'prettier';
import type { ArchiveFigures, TransferFigures } from './archives/measure-archives.ts';
import { markdownTable as table } from './markdown-table.ts';

/** Of the page, between markers: it is measured and written by itself too. */
export const ARCHIVES_SECTION = 'archives';

/** The section as it stands in the page. */
export function formatArchives(figures: ArchiveFigures): Promise<string> {
  return format(archivesSection(figures), { parser: 'markdown', printWidth: 100 });
}

/** How fast a library leaves and comes, and what that takes. */
export function archivesSection(figures: ArchiveFigures): string {
  const { images, gigabytes, rounds, exported, imported } = figures;
  const many = images.toLocaleString('en');
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
  const { median, least, greatest } = ratio;
  const range = `${least.toFixed(2)} to ${greatest.toFixed(2)}`;
  return [
    [
      `${name} / bare loop, MB/s`,
      bare.toFixed(0),
      served.toFixed(0),
      `${median.toFixed(2)} (${range})`,
      'at least 0.7',
    ],
    [`memory of an ${name}, MB`, '', (memory / 1e6).toFixed(0), '', 'at most 300'],
  ];
}
