import { once } from 'node:events';
import { resolve } from 'node:path';
import { configHelp } from '@sightline/platform/config/describe-config';
import { parseConfig } from '@sightline/platform/config/parse-config';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import { ALL_GROUPS } from '@sightline/platform/config/variable-groups';
import { runMain } from '@sightline/platform/lifecycle/run-main';
import { findKafka } from './find-kafka.ts';
import { findMinio } from './find-minio.ts';
import { findQdrant } from './find-qdrant.ts';
import { introduction } from './introduction.ts';
import { LogLines } from './log-lines.ts';
import { ROOT } from './root.ts';
import { runPlatform } from './run-platform.ts';

if (process.argv.includes('--help')) {
  process.stdout.write(
    `Sightline's platform as processes of this machine.\n\nEnvironment variables (and their defaults)\n\n${configHelp(ALL_GROUPS)}\n`,
  );
} else {
  await runMain(async (signal) => {
    const environment = readEnvironment();
    const { config } = parseConfig(environment, ['server', 'vectors', 'kafka']);
    const data = resolve(environment.SIGHTLINE_DATA ?? resolve(ROOT, 'data-platform'));
    const log = new LogLines({
      colors: process.stdout.isTTY,
      write: (line) => process.stdout.write(`${line}\n`),
    });
    const supervision = {
      restart: true,
      onLine: (name: string, line: string) => log.line(name, line),
      onEvent: (name: string, event: string) => log.event(name, event),
    };
    const minio = await findMinio();
    const qdrant = await findQdrant(config, { data, environment });
    const kafka = await findKafka(config, { data, environment });
    const { port } = config;
    await using platform = await runPlatform({
      data,
      environment,
      minio,
      qdrant,
      kafka,
      port,
      supervision,
      signal,
    });
    process.stdout.write(introduction(platform, { qdrant, kafka }));
    if (!signal.aborted) await once(signal, 'abort');
  });
}
