import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Demo } from './demo.ts';
import type { Arguments } from './parse-arguments.ts';
import { OutputFolder } from './pictures/output-folder.ts';
import { folderOfPeople } from './scenarios/folder-of-people.ts';
import { onePhoto } from './scenarios/one-photo.ts';
import { party } from './scenarios/party.ts';
import { peopleFolder } from './scenarios/people-folder.ts';
import { readPhoto } from './scenarios/read-photo.ts';
import { answered } from './service/answered.ts';
import type { RunningService } from './service/run-service.ts';
import { runService } from './service/run-service.ts';
import { startProgress } from './service/start-progress.ts';
import { temporaryInstallation } from './service/temporary-installation.ts';
import { timed } from './service/timed.ts';
import type { Terminal } from './terminal/terminal.ts';
import { wrapped } from './terminal/wrapped.ts';

export interface DemoDeps {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** @throws StartError if a step of the demo fails; the signal's reason on abort */
export async function runDemo(
  { scenario, out }: Arguments,
  { environment, terminal, signal }: DemoDeps,
): Promise<void> {
  // The files that the arguments name are read before the slow start of the service, so that a wrong path fails
  // early.
  const play = await prepare(scenario);
  terminal.line('Starting Sightline in a temporary folder; the first start downloads its models.');
  await using installation = await temporaryInstallation();
  const { result, milliseconds } = await timed(() =>
    runService({
      data: installation.path,
      environment,
      signal,
      onRecord: (record) => {
        const progress = startProgress(record);
        if (progress === null) return;
        if (progress.lasting) for (const line of wrapped(progress.text, '  ')) terminal.line(line);
        else terminal.state(`  ${progress.text}`);
      },
    }),
  );
  await using service = result;
  terminal.line(`Sightline was ready after ${(milliseconds / 1000).toFixed(1)} s.`);
  await showModels(service, terminal, scenario.kind);
  try {
    await play({ service, terminal, output: new OutputFolder(out) });
  } catch (error) {
    // After an abort, requests fail with various errors, so the reason of the abort is thrown instead.
    signal.throwIfAborted();
    throw error;
  }
  for (const line of NEXT) terminal.line(line);
}

async function prepare(scenario: Arguments['scenario']): Promise<(demo: Demo) => Promise<void>> {
  switch (scenario.kind) {
    case 'party':
      return party;
    case 'photo': {
      const photo = await readPhoto(scenario.path);
      return (demo) => onePhoto(demo, photo);
    }
    case 'folder': {
      const people = await peopleFolder(scenario.path);
      return (demo) => folderOfPeople(demo, people, scenario.enroll);
    }
  }
}

/** The text after a model's license; the key says whether the license allows commercial use. */
const ABOUT_USE = new Map<boolean | 'unknown', string>([
  [true, ''],
  [false, ', not for commercial use'],
  ['unknown', ', commercial use unclear'],
]);

/** @throws StartError if the scenario needs a face model but none is active */
async function showModels(
  { client }: RunningService,
  terminal: Terminal,
  kind: Arguments['scenario']['kind'],
): Promise<void> {
  const { models } = answered(await client.getCapabilities(), 'The request for models');
  for (const { task, name, license, commercial_use } of models) {
    terminal.line(`  ${task} model: ${name} (${license}${ABOUT_USE.get(commercial_use)})`);
  }
  if (kind !== 'photo' && !models.some(({ task }) => task === 'face')) {
    throw new StartError(
      'This demo needs a model for faces, but no face model is available: set SIGHTLINE_MODELS_DIR to a folder of models, or connect this machine to the network for the first start.',
    );
  }
}

const NEXT = [
  '',
  'Next:',
  '  make start                        and see http://127.0.0.1:8080/docs',
  '  make demo PHOTO=photo.jpg         with a photo of your own',
  '  make demo FOLDER=people           with people/Ada/1.jpg, people/Ada/2.jpg, ...',
  'and, while make start runs:',
  '  curl -H "X-API-Key: $(cat data/api-key)" -F file=@photo.jpg \\',
  '    http://127.0.0.1:8080/api/detect/all',
];
