import type { Demo } from '../demo.ts';
import type { Colour } from '../drawing/colour.ts';
import { groupPicture } from '../drawing/group-picture.ts';
import { FRIENDS } from '../drawing/people.ts';
import { portrait } from '../drawing/portrait.ts';
import { annotateRun } from '../pictures/annotate-run.ts';
import { rendered } from '../pictures/annotate.ts';
import { share } from '../pictures/finding.ts';
import { type Enrolled, story } from '../pictures/story.ts';
import { answered } from '../service/answered.ts';
import { timed } from '../service/timed.ts';
import type { Column } from '../terminal/table.ts';
import { orDash, place, showObjects, showTable } from './show-found.ts';

const BACKDROPS: readonly Colour[] = ['#9fb4c0', '#c9b79a', '#a9bf9f', '#b8a3b4'];

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

/** Enrols drawn portraits and asks who and what is in a drawing of a group. */
export async function party(demo: Demo): Promise<void> {
  const enrolled = await enrolPortraits(demo);
  const jpeg = await rendered(groupPicture());
  const drawing = await demo.output.write('party.jpg', jpeg);
  const file = new File([jpeg], 'party.jpg');
  await identifyPeople(demo, file, drawing);
  const annotated = await detectAll(demo, file, drawing);
  const found = await demo.output.write('party-annotated.jpg', annotated);
  const whole = await demo.output.write('demo.jpg', await story(enrolled, annotated));
  demo.terminal.heading(`The picture with names and boxes: ${found}`);
  demo.terminal.line(`Beside the portraits: ${whole}`);
}

async function enrolPortraits({ service, terminal, output }: Demo): Promise<Enrolled[]> {
  terminal.heading('Portraits, one of each, are enrolled');
  const rows: string[][] = [];
  const enrolled: Enrolled[] = [];
  for (const [i, person] of FRIENDS.entries()) {
    const jpeg = await rendered(portrait(person, BACKDROPS[i % BACKDROPS.length]!));
    const name = `${person.name.toLowerCase()}.jpg`;
    const path = await output.write(`portraits/${name}`, jpeg);
    const { result, milliseconds } = await timed(() =>
      service.client.enrollFace({ body: { name: person.name, file: new File([jpeg], name) } }),
    );
    const { label } = answered(result, `The portrait of ${person.name}`);
    rows.push([label, path, `${milliseconds} ms`]);
    enrolled.push({ label, portrait: jpeg });
  }
  showTable(terminal, PORTRAITS, rows);
  return enrolled;
}

async function identifyPeople(
  { service, terminal }: Demo,
  file: File,
  drawing: string,
): Promise<void> {
  terminal.heading(`Who is in ${drawing}?`);
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
      similarity === null ? '-' : share(similarity),
      next === undefined ? '-' : `${next.label} ${share(next.similarity)}`,
      share(confidence),
      ...[orDash(age), orDash(gender), place(bbox)],
    ];
  });
  showTable(terminal, PEOPLE, rows);
  terminal.line(
    `${faces.length} faces in ${milliseconds} ms; a name needs a similarity of ${threshold}.`,
  );
}

/** The group picture with what was found in it. */
async function detectAll(demo: Demo, file: File, drawing: string): Promise<Uint8Array> {
  const { service, terminal } = demo;
  terminal.heading(`What else is in ${drawing}?`);
  const { result, milliseconds } = await timed(() => service.client.detectAll({ body: { file } }));
  const run = answered(result, 'The group picture');
  showObjects(terminal, run.objects);
  terminal.line(
    `Found ${run.counts.faces} faces and ${run.counts.objects} objects, and stored, in ${milliseconds} ms.`,
  );
  return annotateRun(demo, run);
}
