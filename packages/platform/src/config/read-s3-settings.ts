import { readFileSync } from 'node:fs';
import { StartError } from '../lifecycle/start-error.ts';
import type { Config } from './parse-config.ts';
import { VARIABLES } from './variables.ts';

/** An S3, and who this process is there. */
export interface S3Settings {
  readonly endpoint: URL;
  readonly bucket: string;
  readonly region: string;
  readonly virtualHosts: boolean;
  readonly accessKey: string;
  readonly secretKey: string;
}

/**
 * The S3 of the configuration; null if there is none.
 *
 * @throws StartError if the credentials are not given, or given twice, or their files cannot be read
 */
export function readS3Settings(config: Config): S3Settings | null {
  if (config.s3Endpoint === null) return null;
  return {
    endpoint: new URL(config.s3Endpoint),
    bucket: config.s3Bucket,
    region: config.s3Region,
    virtualHosts: config.s3VirtualHosts === 'on',
    accessKey: readSecret(config, { given: 's3AccessKey', file: 's3AccessKeyFile' }),
    secretKey: readSecret(config, { given: 's3SecretKey', file: 's3SecretKeyFile' }),
  };
}

interface SecretVariables {
  readonly given: 's3AccessKey' | 's3SecretKey';
  readonly file: 's3AccessKeyFile' | 's3SecretKeyFile';
}

function readSecret(config: Config, { given, file }: SecretVariables): string {
  const names = [VARIABLES[given].name, VARIABLES[file].name] as const;
  const [secret, path] = [config[given], config[file]];
  if (secret !== null && path !== null) {
    throw new StartError(`${names[0]} and ${names[1]} are both set: unset one of them.`);
  }
  if (secret !== null) return secret;
  if (path !== null) return readSecretFile(names[1], path);
  throw new StartError(
    `${VARIABLES.s3Endpoint.name} is set, but neither ${names[0]} nor ${names[1]} is.`,
  );
}

/** As editors and secret stores write it: with a line feed behind it or without. */
function readSecretFile(name: string, path: string): string {
  const text = readTextOrExplain(name, path).trim();
  if (text === '') throw new StartError(`The file ${path} of ${name} is empty.`);
  return text;
}

function readTextOrExplain(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new StartError(`The file ${path} of ${name} cannot be read (${code}).`, { cause: error });
  }
}
