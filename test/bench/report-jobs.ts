import { spreadCell } from './cells.ts';
import { markdownTable as table } from './markdown-table.ts';
import type { JobFigures } from './measure-jobs.ts';

/** The speed of jobs, and their effect on other requests. */
export function jobsSection(figures: JobFigures): string {
  const { images, rounds, workers, requests, bare, job, alone, beside } = figures;
  const { oneAlone, oneBeside } = figures;
  return `## Jobs

Made by \`make bench ARGS="--jobs --rounds ${rounds} --images ${images} --write"\`. Just before, the cores were idle for
${(100 * figures.idle).toFixed(0)} % of the time.

A job of ${images} images that the service never saw, as files of one request to \`/api/detect/bulk\` with \`type=faces\`, from the first
byte of the request until the job is done. The bare loop is that of \`/api/detect/faces\`, with ${workers} threads; the
service has ${workers} worker threads and runs with its database on the same cores. Beside such a job, a client of the same
environment sends one photo after the other to \`/api/test\` (${requests} in all), and another environment has jobs of one
image. Ratios are computed per round and shown as their median (least to greatest).

${table(
  ['measure', 'alone', 'beside', 'ratio', 'aim'],
  [
    [
      `job of ${images} images / bare loop, images/s`,
      bare.toFixed(1),
      job.toFixed(1),
      spreadCell(figures.share, 3),
      'at least 0.95',
    ],
    [
      'p99 of a request beside the job / alone, ms',
      alone.toFixed(0),
      beside.toFixed(0),
      spreadCell(figures.latencyRatio),
      'at most 2',
    ],
    [
      'job of one image beside the other / twice its time alone and one image, s',
      oneAlone.toFixed(2),
      oneBeside.toFixed(2),
      spreadCell(figures.oneShare),
      'at most 1',
    ],
    [
      'until the images were stored / until the job was done',
      '',
      '',
      spreadCell(figures.handIn),
      '',
    ],
  ],
)}
`;
}
