import { expect, test } from '@jest/globals';
import { ServiceProcess } from './service-process.ts';

function run(program: string, onLine: (line: string) => void = () => undefined): ServiceProcess {
  const environment = { PATH: process.env.PATH };
  return new ServiceProcess(
    { command: process.execPath, args: ['-e', program], environment },
    onLine,
  );
}

async function started(program: string): Promise<ServiceProcess> {
  const first = Promise.withResolvers<string>();
  const service = run(program, first.resolve);
  await first.promise;
  return service;
}

const STAYS = `setInterval(() => {}, 1000); console.log('ready');`;

test('lines of both streams are received, and the last stderr lines are kept', async () => {
  const lines: string[] = [];
  await using service = run(
    `console.log('out'); console.error('first\\n\\nlast'); process.exitCode = 3;`,
    (line) => lines.push(line),
  );
  expect(await service.lastErrorLines()).toEqual(['first', '', 'last']);
  expect(await service.ended).toBe('ended with 3');
  expect(lines.toSorted()).toEqual(['', 'first', 'last', 'out']);
});

test('a stop is a SIGTERM, which reaches a paused process, too', async () => {
  const service = await started(`process.on('SIGTERM', () => process.exit(0)); ${STAYS}`);
  service.pause();
  await service.stop();
  expect(await service.ended).toBe('ended with 0');
  await service.stop();
});

test('a process can be killed', async () => {
  const service = await started(STAYS);
  await service.kill();
  expect(await service.ended).toBe('ended with SIGKILL');
});

test('a program that does not exist is an error', async () => {
  const service = new ServiceProcess(
    { command: '/nowhere/program', args: [], environment: {} },
    () => undefined,
  );
  expect(service.pid).toBeUndefined();
  expect(await service.ended).toMatch(/^cannot be started: .*ENOENT/);
  expect(await service.lastErrorLines()).toEqual([]);
  await service[Symbol.asyncDispose]();
});
