import { parse } from 'node:path';
import type { Demo } from '../demo.ts';
import { annotateRun } from '../pictures/annotate-run.ts';
import { numbered, formatScore } from '../pictures/finding.ts';
import { answered } from '../service/answered.ts';
import { timed } from '../service/timed.ts';
import type { Column } from '../terminal/table.ts';
import { formatBox, orDash, showObjects, showTable } from './show-found.ts';

const FACES: readonly Column[] = [
  { title: 'face', align: 'right' },
  { title: 'score', align: 'right' },
  { title: 'age', align: 'right' },
  { title: 'gender' },
  { title: 'where' },
];

export async function onePhoto(demo: Demo, photo: File): Promise<void> {
  const { service, terminal } = demo;
  terminal.heading(`What is in ${photo.name}?`);
  const { result, milliseconds } = await timed(() =>
    service.client.detectAll({ body: { file: photo } }),
  );
  const run = answered(result, photo.name);
  const rows = run.faces.map(({ confidence, age, gender, bbox }, i) => [
    String(i + 1),
    formatScore(confidence),
    orDash(age),
    orDash(gender),
    formatBox(bbox),
  ]);
  if (rows.length === 0) terminal.line('No faces were found.');
  else showTable(terminal, FACES, rows);
  terminal.line();
  showObjects(terminal, run.objects);
  terminal.line();
  terminal.line(`${run.width} x ${run.height} pixels; found and stored in ${milliseconds} ms.`);
  const name = `${parse(photo.name).name}-annotated.jpg`;
  const annotated = await demo.output.write(name, await annotateRun(demo, run, numbered(run)));
  terminal.heading(`The photo with boxes: ${annotated}`);
}
