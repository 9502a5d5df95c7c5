import { join, resolve } from 'node:path';
import type { Demo } from '../demo.ts';
import { annotateRun } from '../pictures/annotate-run.ts';
import { formatScore } from '../pictures/finding.ts';
import { type Enrolled, story } from '../pictures/story.ts';
import { answered } from '../service/answered.ts';
import { timed } from '../service/timed.ts';
import type { Column } from '../terminal/table.ts';
import { readPhoto } from './read-photo.ts';
import { formatBox, orDash, showObjects, showTable } from './show-found.ts';

const PICTURES = resolve(import.meta.dirname, '../../pictures');

/** The people with a portrait; the group picture also shows others. */
const FRIENDS = ['Ada', 'Kofi', 'Mei', 'Walter'];

const PORTRAITS: readonly Column[] = [
  { title: 'who' },
  { title: 'portrait' },
  { title: 'enrolled in', align: 'right' },
];

const PEOPLE: readonly Column[] = [
  { title: 'who' },
  { title: 'similarity', align: 'right' },
  { title: 'next' },
  { title: 'score', align: 'right' },
  { title: 'age', align: 'right' },
  { title: 'gender' },
  { title: 'where' },
];

/** A picture of the demo for upload, and the path of its copy in the output folder. */
interface Picture {
  readonly file: File;
  readonly path: string;
}

export async function party(demo: Demo): Promise<void> {
  const enrolled = await enrollPortraits(demo);
  const group = await takePicture(demo, 'party.jpg');
  await identifyPeople(demo, group);
  const annotated = await detectAll(demo, group);
  const found = await demo.output.write('party-annotated.jpg', annotated);
  const whole = await demo.output.write('demo.jpg', await story(enrolled, annotated));
  demo.terminal.heading(`The picture with names and boxes: ${found}`);
  demo.terminal.line(`Beside the portraits: ${whole}`);
}

/** @param name the path in the folder of pictures, and also in the output folder */
async function takePicture({ output }: Demo, name: string): Promise<Picture> {
  const file = await readPhoto(join(PICTURES, name));
  return { file, path: await output.write(name, await file.bytes()) };
}

async function enrollPortraits(demo: Demo): Promise<Enrolled[]> {
  const { service, terminal } = demo;
  terminal.heading('Portraits, one of each, are enrolled');
  const rows: string[][] = [];
  const enrolled: Enrolled[] = [];
  for (const name of FRIENDS) {
    const { file, path } = await takePicture(demo, `portraits/${name.toLowerCase()}.jpg`);
    const { result, milliseconds } = await timed(() =>
      service.client.enrollFace({ body: { name, file } }),
    );
    const { label } = answered(result, `The portrait of ${name}`);
    rows.push([label, path, `${milliseconds} ms`]);
    enrolled.push({ label, portrait: await file.bytes() });
  }
  showTable(terminal, PORTRAITS, rows);
  return enrolled;
}

async function identifyPeople({ service, terminal }: Demo, { file, path }: Picture): Promise<void> {
  terminal.heading(`Who is in ${path}?`);
  const { result, milliseconds } = await timed(() =>
    service.client.identifyFaces({ body: { file } }),
  );
  const { faces, threshold } = answered(result, 'The group picture');
  const fromTheLeft = [...faces].sort((a, b) => a.bbox.x - b.bbox.x);
  const rows = fromTheLeft.map((face) => {
    const { label, similarity, suggestions, confidence, age, gender, bbox } = face;
    const next = suggestions.find((other) => other.label !== label);
    return [
      label ?? 'unknown',
      similarity === null ? '-' : formatScore(similarity),
      next === undefined ? '-' : `${next.label} ${formatScore(next.similarity)}`,
      formatScore(confidence),
      orDash(age),
      orDash(gender),
      formatBox(bbox),
    ];
  });
  showTable(terminal, PEOPLE, rows);
  terminal.line(
    `${faces.length} faces in ${milliseconds} ms; a name needs a similarity of ${threshold}.`,
  );
}

async function detectAll(demo: Demo, { file, path }: Picture): Promise<Uint8Array> {
  const { service, terminal } = demo;
  terminal.heading(`What else is in ${path}?`);
  const { result, milliseconds } = await timed(() => service.client.detectAll({ body: { file } }));
  const run = answered(result, 'The group picture');
  showObjects(terminal, run.objects);
  terminal.line(
    `Found ${run.counts.faces} faces and ${run.counts.objects} objects, and stored, in ${milliseconds} ms.`,
  );
  return annotateRun(demo, run);
}
