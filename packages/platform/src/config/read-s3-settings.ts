import { StartError } from '../lifecycle/start-error.ts';
import { readSecret, type SecretVariables } from './read-secret.ts';
import { type Config, VARIABLES } from './variable-groups.ts';

export interface S3Keys {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Null for permanent keys. */
  readonly sessionToken: string | null;
}

export interface S3Settings {
  readonly endpoint: URL;
  readonly bucket: string;
  readonly region: string;
  readonly virtualHosts: boolean;
  /**
   * Reads the keys from the variables, or from the current content of the files.
   *
   * @throws StartError if keys are missing or set twice, or if their files cannot be read
   */
  readonly readKeys: () => S3Keys;
}

type MediaConfig = Config<'media'>;

/**
 * The configured S3 server; null if none is configured.
 *
 * @throws StartError if keys are missing or set twice, or if their files cannot be read
 */
export function readS3Settings(config: MediaConfig): S3Settings | null {
  if (config.s3Endpoint === null) return null;
  const readKeys = () => readS3Keys(config);
  // This first read makes the start fail if keys are missing.
  readKeys();
  return {
    endpoint: new URL(config.s3Endpoint),
    bucket: config.s3Bucket,
    region: config.s3Region,
    virtualHosts: config.s3VirtualHosts === 'on',
    readKeys,
  };
}

function readS3Keys(config: MediaConfig): S3Keys {
  return {
    accessKey: requireSecret(config, { given: 's3AccessKey', file: 's3AccessKeyFile' }),
    secretKey: requireSecret(config, { given: 's3SecretKey', file: 's3SecretKeyFile' }),
    sessionToken: readSecret(config, { given: 's3SessionToken', file: 's3SessionTokenFile' }),
  };
}

type KeyVariable = 's3AccessKey' | 's3AccessKeyFile' | 's3SecretKey' | 's3SecretKeyFile';

function requireSecret(config: MediaConfig, variables: SecretVariables<KeyVariable>): string {
  const secret = readSecret(config, variables);
  if (secret !== null) return secret;
  const [given, file] = [VARIABLES[variables.given].name, VARIABLES[variables.file].name];
  throw new StartError(`${VARIABLES.s3Endpoint.name} is set, but neither ${given} nor ${file} is.`);
}
