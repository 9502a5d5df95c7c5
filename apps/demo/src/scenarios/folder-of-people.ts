import { parse } from 'node:path';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Demo } from '../demo.ts';
import { annotateRun } from '../pictures/annotate-run.ts';
import { formatScore } from '../pictures/finding.ts';
import { answered } from '../service/answered.ts';
import type { Column } from '../terminal/table.ts';
import { wrapped } from '../terminal/wrapped.ts';
import type { FolderOfPerson } from './people-folder.ts';
import { readPhoto } from './read-photo.ts';
import { showTable } from './show-found.ts';
import { judge, type Tally, tally, type Verdict } from './tally.ts';

/**
 * The codes of problems that concern a single photo. The demo notes such a problem and continues with the next photo.
 */
const UNFIT = [
  'face_count',
  'enrolled_elsewhere',
  'no_embedding',
  'image_corrupt',
  'image_too_large',
  'unsupported_format',
  'file_too_large',
];

const COLUMNS: readonly Column[] = [
  { title: 'who' },
  { title: 'enrolled', align: 'right' },
  { title: 'asked', align: 'right' },
  { title: 'right', align: 'right' },
  { title: 'wrong', align: 'right' },
  { title: 'unknown', align: 'right' },
  { title: 'no face', align: 'right' },
  { title: 'similarity', align: 'right' },
];

interface Enrolled {
  readonly name: string;
  readonly references: number;
  /** The paths of photos that were not used for the enrollment. */
  readonly rest: readonly string[];
}

/**
 * Enrolls the first photos of each person, and identifies the faces in the person's other photos.
 *
 * @param enroll how many photos of each person to enroll
 * @throws StartError if no one can be enrolled
 */
export async function folderOfPeople(
  demo: Demo,
  people: readonly FolderOfPerson[],
  enroll: number,
): Promise<void> {
  const { service, terminal } = demo;
  // Recognized faces must not be enrolled automatically, because then the order of the photos would change the
  // results.
  const body = { value: 0 };
  const path = { key: 'face.auto_enroll_threshold' };
  answered(await service.client.putSetting({ path, body }), 'The setting');
  terminal.heading(`${people.length} people: up to ${photos(enroll)} of each to enroll`);
  const notes: string[] = [];
  const enrolled: Enrolled[] = [];
  for (const [i, person] of people.entries()) {
    terminal.state(`enrolling ${i + 1} of ${people.length}: ${person.name}`);
    enrolled.push(await enrollPerson(demo, { person, enroll, notes }));
  }
  if (enrolled.every(({ references }) => references === 0)) {
    throw new StartError(`No one could be enrolled. ${notes[0] ?? ''}`.trim());
  }
  const results: [Enrolled, readonly Verdict[]][] = [];
  for (const person of enrolled) results.push([person, await askAbout(demo, person, notes)]);
  showResults(demo, results);
  for (const line of notes.flatMap((note) => wrapped(note))) terminal.line(line);
  if (results.some(([, verdicts]) => verdicts.length > 0)) {
    terminal.heading(`The photos with names and boxes are in ${demo.output.shown}`);
  } else {
    terminal.heading('No one has another photo to ask about');
  }
}

async function enrollPerson(
  { service }: Demo,
  { person, enroll, notes }: { person: FolderOfPerson; enroll: number; notes: string[] },
): Promise<Enrolled> {
  const { name } = person;
  const rest = [...person.photos];
  let references = 0;
  while (references < enroll && rest.length > 0) {
    const path = rest.shift()!;
    const file = await readPhoto(path);
    const answer = await service.client.enrollFace({ body: { name, file } });
    if (answer.problem !== null && UNFIT.includes(answer.problem.code)) {
      notes.push(`${path} was not enrolled: ${answer.problem.detail}`);
    } else {
      answered(answer, path);
      references += 1;
    }
  }
  return { name, references, rest };
}

async function askAbout(
  demo: Demo,
  { name, rest }: Enrolled,
  notes: string[],
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const path of rest) {
    demo.terminal.state(`asking about ${path}`);
    const file = await readPhoto(path);
    const answer = await demo.service.client.detectFaces({ body: { file } });
    if (answer.problem !== null && UNFIT.includes(answer.problem.code)) {
      notes.push(`${path} was not asked about: ${answer.problem.detail}`);
      continue;
    }
    const run = answered(answer, path);
    verdicts.push(judge(run.faces, name));
    await demo.output.write(`${name}/${parse(path).name}.jpg`, await annotateRun(demo, run));
  }
  return verdicts;
}

function showResults(
  { terminal }: Demo,
  results: readonly (readonly [Enrolled, readonly Verdict[]])[],
): void {
  const rows = results.map(([{ name, references }, verdicts]) =>
    row(name, references, tally(verdicts)),
  );
  const references = results.reduce((sum, [person]) => sum + person.references, 0);
  const total = tally(results.flatMap(([, verdicts]) => verdicts));
  showTable(terminal, COLUMNS, [...rows, row('all', references, total)]);
}

function row(name: string, references: number, counts: Tally): string[] {
  const { photos: asked, right, wrong, unknown, similarity } = counts;
  const numbers = [references, asked, right, wrong, unknown, counts['no face']];
  return [name, ...numbers.map(String), similarity === null ? '-' : formatScore(similarity)];
}

function photos(count: number): string {
  return count === 1 ? 'one photo' : `${count} photos`;
}
