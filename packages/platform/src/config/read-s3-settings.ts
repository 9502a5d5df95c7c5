import { StartError } from '../lifecycle/start-error.ts';
import type { Config } from './parse-config.ts';
import { readSecret, type SecretVariables } from './read-secret.ts';
import { VARIABLES } from './variables.ts';

/** Who a process is to an S3. */
export interface S3Keys {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Null for keys that stay valid. */
  readonly sessionToken: string | null;
}

/** An S3, and who this process is there. */
export interface S3Settings {
  readonly endpoint: URL;
  readonly bucket: string;
  readonly region: string;
  readonly virtualHosts: boolean;
  /**
   * Reads variables and files as they are now.
   *
   * @throws StartError if keys are not given, or given twice, or their files cannot be read
   */
  readonly readKeys: () => S3Keys;
}

/**
 * The S3 of the configuration; null if there is none.
 *
 * @throws StartError if the keys are not given, or given twice, or their files cannot be read
 */
export function readS3Settings(config: Config): S3Settings | null {
  if (config.s3Endpoint === null) return null;
  const readKeys = () => readS3Keys(config);
  // What is wrong with them is said at the start.
  readKeys();
  return {
    endpoint: new URL(config.s3Endpoint),
    bucket: config.s3Bucket,
    region: config.s3Region,
    virtualHosts: config.s3VirtualHosts === 'on',
    readKeys,
  };
}

function readS3Keys(config: Config): S3Keys {
  return {
    accessKey: requireSecret(config, { given: 's3AccessKey', file: 's3AccessKeyFile' }),
    secretKey: requireSecret(config, { given: 's3SecretKey', file: 's3SecretKeyFile' }),
    sessionToken: readSecret(config, { given: 's3SessionToken', file: 's3SessionTokenFile' }),
  };
}

function requireSecret(config: Config, variables: SecretVariables): string {
  const secret = readSecret(config, variables);
  if (secret !== null) return secret;
  const [given, file] = [VARIABLES[variables.given].name, VARIABLES[variables.file].name];
  throw new StartError(`${VARIABLES.s3Endpoint.name} is set, but neither ${given} nor ${file} is.`);
}
