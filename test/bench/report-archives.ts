import { format } from 'prettier';
import type { ExportFigures } from './archives/measure-export.ts';
import { markdownTable as table } from './markdown-table.ts';

/** Of the page, between markers: it is measured and written by itself too. */
export const ARCHIVES_SECTION = 'archives';

/** The section as it stands in the page. */
export function formatArchives(figures: ExportFigures): Promise<string> {
  return format(archivesSection(figures), { parser: 'markdown', printWidth: 100 });
}

/** How fast a library leaves, and what that takes. */
export function archivesSection(figures: ExportFigures): string {
  const { images, gigabytes, rounds, exported, bare, ratio, memory } = figures;
  const many = images.toLocaleString('en');
  return `## Archives

Made by \`make bench ARGS="--archives --gigabytes ${gigabytes} --rounds ${rounds} --write"\`.

An export of ${many} images with two faces each, ${gigabytes} GB, from the request until its last byte. The bare loop is a
process that writes the same files as a ZIP into a pipe. Service, database, and the client that receives the archive share
the cores. Ratios are computed per round and shown as their median (least to greatest). Memory is the growth of
the service's process.

${table(
  ['measure', 'bare loop', 'export', 'ratio', 'aim'],
  [
    [
      'export / bare loop, MB/s',
      bare.toFixed(0),
      exported.toFixed(0),
      `${ratio.median.toFixed(2)} (${ratio.least.toFixed(2)} to ${ratio.greatest.toFixed(2)})`,
      'at least 0.7',
    ],
    ['memory, MB', '', (memory / 1e6).toFixed(0), '', 'at most 300'],
  ],
)}`;
}
