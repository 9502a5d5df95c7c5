import { grouped, megabytes } from './cells.ts';
import { markdownTable as table } from './markdown-table.ts';
import type { SwapBenchFigures } from './swaps/bench-swaps.ts';
import type { ReembeddingFigures } from './swaps/measure-reembedding.ts';
import type { SwapFigures } from './swaps/measure-swaps.ts';

/** The effect of switching models on other requests, and the speed of embedding enrolled faces again. */
export function swapsSection(figures: SwapBenchFigures): string {
  const { count, faces, workers, oneProcess, platform, memory, reembedding } = figures;
  const [[few, many], [before, after]] = [memory.swaps, memory.bytes];
  return `## Swaps of models

Made by \`make bench ARGS="--swaps --count ${count} --faces ${faces} --write"\`.

While one client sends a photo to \`/api/identify\` and another a new one to \`/api/detect/faces\`, each as soon as it
has its answer, an InsightFace pack and a copy of it with another revision are activated in turn, ${count} times, with 5 s
between them. Beside the faces there is a model for objects, which stays. One process has ${workers} worker threads;
several are two that answer and two that run the models, with ${Math.max(1, workers / 2)} each, on the same cores. A request counts as one
during a swap if the two overlapped. Memory is that of the one process, without load, after a previous model was unloaded.

${table(
  ['measure', 'usual', 'during a swap', 'ratio', 'aim'],
  [
    ...rowsOf('one process', oneProcess),
    ...rowsOf('several', platform),
    [
      `memory after ${many} swaps / after ${few}, MB`,
      megabytes(before),
      megabytes(after),
      (after / before).toFixed(2),
      'at most 1.05',
    ],
  ],
)}

${reembeddingText(reembedding)}
`;
}

function rowsOf(name: string, figures: SwapFigures): string[][] {
  const { usual, during, requests, failures, seconds } = figures;
  const ratio = (during.p99 / usual.p99).toFixed(2);
  return [
    [`failed of ${grouped(requests)} requests, ${name}`, '', String(failures.length), '', '0'],
    [
      `p99 of ${usual.requests} and ${during.requests} requests, ${name}, ms`,
      usual.p99.toFixed(0),
      during.p99.toFixed(0),
      ratio,
      'at most 2',
    ],
    [`a swap, ${name}, s`, '', seconds.toFixed(1), '', ''],
  ];
}

function reembeddingText(figures: ReembeddingFigures): string {
  const { faces, images, forth, back, engineAlone, planned } = figures;
  const rate = faces / Math.max(forth - back, 0.001);
  const alone = faces / engineAlone;
  return `Enrolled faces embedded anew, ${grouped(faces)} in ${grouped(images)} images, by toy models that take no time: what is
measured is all the rest. The engine alone embeds the same faces at the same places with as many threads, without
files and rows. A switch plans, embeds and switches; the way back embeds nothing. Planning is the
look for images with enrolled faces that lack an embedding, in a library ten times as large.

${table(
  ['measure', 'here'],
  [
    ['a switch that embeds them all, s', forth.toFixed(1)],
    ['the way back, s', back.toFixed(1)],
    ['new embeddings of enrolled faces, faces/s', rate.toFixed(0)],
    ['the engine alone, faces/s', alone.toFixed(0)],
    ['ratio', (rate / alone).toFixed(2)],
    [
      `planning ${grouped(planned.references)} references in ${grouped(planned.images)} images, s`,
      planned.seconds.toFixed(1),
    ],
    ['embedding these, at the same rate, s', (planned.references / rate).toFixed(0)],
  ],
)}`;
}
