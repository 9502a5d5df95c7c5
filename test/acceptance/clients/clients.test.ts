import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { skipWithout } from '../../support/gates/skip-without.ts';
import { sharedService } from '../../support/services/shared-service.ts';
import { IS_SOAK } from '../../support/gates/soak.ts';
import { GO, type Printed, PYTHON, TYPESCRIPT } from './programs.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const TSC = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
const ADDRESS = 'http://127.0.0.1:8080';

interface Language {
  readonly name: 'TypeScript' | 'Python' | 'Go';
  /** The program without which there is no generator. */
  readonly needs: string;
  readonly program: string;
  readonly file: string;
  /** Commands before the one of the docs, and those that run the program with the generated client. */
  readonly before: string;
  readonly after: string;
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'TypeScript',
    needs: 'npx',
    program: TYPESCRIPT,
    file: 'main.ts',
    before: 'echo \'{"type": "module"}\' > package.json',
    after: `"$NODE" ${TSC} --strict --noEmit --module nodenext --target es2024 --lib es2024,dom \
      --allowImportingTsExtensions --typeRoots ${join(REPOSITORY, 'node_modules/@types')} --types node main.ts &&
      "$NODE" main.ts`,
  },
  {
    name: 'Python',
    needs: 'python3',
    program: PYTHON,
    file: 'main.py',
    before: 'python3 -m venv tools && tools/bin/pip install --quiet pipx httpx attrs',
    after: 'PYTHONPATH=sightline tools/bin/python main.py',
  },
  {
    name: 'Go',
    needs: 'go',
    program: GO,
    file: 'main.go',
    before: 'true',
    after: `mkdir sightline && mv sightline.go sightline && go mod init example && go mod tidy &&
      go run .`,
  },
];

test.each(LANGUAGES)('docs/clients.md has a command for $name', ({ name }) => {
  expect(commandOf(name)).toContain(`${ADDRESS}/openapi.json`);
});

if (IS_SOAK) for (const language of LANGUAGES) describeClient(language);

function describeClient(language: Language): void {
  const name = `the client that the command for ${language.name} makes`;
  const body = () => {
    test('works with a running service', async () => {
      expect(await tried(language)).toEqual(expected(language));
    });
  };
  if (spawnSync('which', [language.needs]).status === 0) describe(name, body);
  else skipWithout(language.needs, name, body);
}

function expected({ name }: Language): Printed {
  return { label: `Ada ${name}`, code: 'not_found' };
}

/** Makes the client in a folder of its own, and returns what the program with it prints. */
async function tried({ name, program, file, before, after }: Language): Promise<unknown> {
  const service = await sharedService('standalone');
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, file), program);
  const command = commandOf(name).replaceAll(ADDRESS, service.url);
  const environment = {
    ...process.env,
    PATH: `${join(folder.path, 'tools/bin')}${delimiter}${process.env.PATH}`,
    PIPX_HOME: join(folder.path, 'pipx'),
    NODE: process.execPath,
    SIGHTLINE_URL: service.url,
    SIGHTLINE_KEY: service.apiKey,
  };
  const printed = execFileSync('bash', ['-ec', [before, command, after].join('\n')], {
    cwd: folder.path,
    env: environment,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(printed.trim().split('\n').at(-1)!);
}

function commandOf(language: string): string {
  const page = readFileSync(join(REPOSITORY, 'docs/clients.md'), 'utf8');
  const row = page.split('\n').find((line) => line.startsWith(`| ${language} `));
  return row!.split('`')[1]!;
}
