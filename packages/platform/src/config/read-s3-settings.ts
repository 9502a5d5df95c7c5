import { StartError } from '../lifecycle/start-error.ts';
import { hasCredentials } from '../outgoing/target-guard.ts';
import { readSecret, readSecretFile, type SecretVariables } from './read-secret.ts';
import { type Config, VARIABLES } from './variable-groups.ts';

export interface S3Keys {
  readonly accessKey: string;
  readonly secretKey: string;
  /** Null for permanent keys. */
  readonly sessionToken: string | null;
}

/** A token of the cluster that a token service exchanges for temporary keys. */
export interface WebIdentity {
  /** The file with the token, which is replaced before the token expires. */
  readonly tokenFile: string;
  /** The role to assume; null for token services that derive it from the token. */
  readonly roleArn: string | null;
  readonly stsEndpoint: URL;
}

export interface S3Settings {
  readonly endpoint: URL;
  readonly bucket: string;
  readonly region: string;
  readonly virtualHosts: boolean;
  /**
   * Reads the keys from the variables, or from the current content of the files; or the web identity for which there are
   * temporary keys.
   *
   * @throws StartError if keys are missing or set twice, or if their files cannot be read
   */
  readonly keys: (() => S3Keys) | WebIdentity;
}

type MediaConfig = Config<'media'>;

/**
 * The configured S3 server; null if none is configured.
 *
 * @throws StartError if keys are missing or set twice, or if their files cannot be read
 */
export function readS3Settings(config: MediaConfig): S3Settings | null {
  if (config.s3Endpoint === null) return null;
  const endpoint = new URL(config.s3Endpoint);
  return {
    endpoint,
    bucket: config.s3Bucket,
    region: config.s3Region,
    virtualHosts: config.s3VirtualHosts === 'on',
    keys: readWebIdentity(config, endpoint) ?? keyReader(config),
  };
}

function keyReader(config: MediaConfig): () => S3Keys {
  const read = () => readS3Keys(config);
  // This first read makes the start fail if keys are missing.
  read();
  return read;
}

/** The web identity; null if there is none, or if keys are configured. */
function readWebIdentity(config: MediaConfig, endpoint: URL): WebIdentity | null {
  const { s3WebIdentityTokenFile: tokenFile, s3RoleArn: roleArn, s3StsEndpoint } = config;
  const keys = [
    config.s3AccessKey,
    config.s3AccessKeyFile,
    config.s3SecretKey,
    config.s3SecretKeyFile,
  ];
  if (tokenFile === null || keys.some((each) => each !== null)) return null;
  // This first read makes the start fail if the file cannot be read.
  readSecretFile(tokenFile, `The file ${tokenFile} of ${VARIABLES.s3WebIdentityTokenFile.name}`);
  const sts = s3StsEndpoint === null ? stsOf(endpoint, config.s3Region) : givenSts(s3StsEndpoint);
  return { tokenFile, roleArn, stsEndpoint: sts };
}

/** The address may have been set for the SDKs of AWS, so it is checked only when it is used, and may have a path. */
function givenSts(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && !hasCredentials(url)) return url;
  const { name } = VARIABLES.s3StsEndpoint;
  throw new StartError(`${name} or AWS_ENDPOINT_URL_STS has to be an http:// or https:// URL.`);
}

/** The token service of an S3 server. Those of AWS have one per region; MinIO and Ceph answer for theirs themselves. */
function stsOf(endpoint: URL, region: string): URL {
  const [aws] = /(?<=\.)amazonaws\.com(\.cn)?$/.exec(endpoint.hostname) ?? [];
  return aws === undefined ? endpoint : new URL(`https://sts.${region}.${aws}`);
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
  const token = VARIABLES.s3WebIdentityTokenFile.name;
  throw new StartError(
    `${VARIABLES.s3Endpoint.name} is set, but neither ${given} nor ${file} is. A web identity instead of keys needs ${token}.`,
  );
}
