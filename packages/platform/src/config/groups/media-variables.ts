import { z } from 'zod';
import type { Environment } from '../read-environment.ts';
import { oneOf, optionalText, origin, variable } from '../variable.ts';

export const MEDIA_VARIABLES = {
  s3Endpoint: variable({
    name: 'SIGHTLINE_S3_ENDPOINT',
    description:
      'S3 server for images, for example https://s3.example.org:9000; unset: files in the data folder',
    default: null,
    schema: origin(),
  }),
  s3Bucket: variable({
    name: 'SIGHTLINE_S3_BUCKET',
    description:
      'Bucket for images, used by this installation only; created at the start if it does not exist',
    default: 'sightline',
    schema: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
        'has to be 3 to 63 lower-case letters, digits, dots and dashes',
      ),
  }),
  s3Region: variable({
    name: 'SIGHTLINE_S3_REGION',
    description: 'Region of the S3 server',
    default: 'us-east-1',
    schema: z.string().regex(/^[a-z0-9-]{1,32}$/, 'has to be the name of a region'),
  }),
  s3VirtualHosts: variable({
    name: 'SIGHTLINE_S3_VIRTUAL_HOSTS',
    description: 'on: the bucket is part of the host name; off: the bucket is part of the path',
    default: 'off',
    schema: oneOf(['off', 'on']),
  }),
  s3AccessKey: variable({
    name: 'SIGHTLINE_S3_ACCESS_KEY',
    description: 'Access key for the S3 server',
    default: null,
    secret: true,
    schema: optionalText(),
  }),
  s3AccessKeyFile: variable({
    name: 'SIGHTLINE_S3_ACCESS_KEY_FILE',
    description: 'File that contains the access key',
    default: null,
    schema: optionalText(),
  }),
  s3SecretKey: variable({
    name: 'SIGHTLINE_S3_SECRET_KEY',
    description: 'Secret key for the S3 server',
    default: null,
    secret: true,
    schema: optionalText(),
  }),
  s3SecretKeyFile: variable({
    name: 'SIGHTLINE_S3_SECRET_KEY_FILE',
    description:
      'File that contains the secret key. When the S3 server rejects the keys, the process reads the files with the keys and the token again',
    default: null,
    schema: optionalText(),
  }),
  s3SessionToken: variable({
    name: 'SIGHTLINE_S3_SESSION_TOKEN',
    description: 'Session token of temporary keys',
    default: null,
    secret: true,
    schema: optionalText(),
  }),
  s3SessionTokenFile: variable({
    name: 'SIGHTLINE_S3_SESSION_TOKEN_FILE',
    description: 'File that contains the session token',
    default: null,
    schema: optionalText(),
  }),
  s3WebIdentityTokenFile: variable({
    name: 'SIGHTLINE_S3_WEB_IDENTITY_TOKEN_FILE',
    description:
      'File that contains a web identity token, for S3 servers whose token service exchanges it for temporary keys. Keys take precedence. The process reads the file again for each exchange',
    default: awsVariable('AWS_WEB_IDENTITY_TOKEN_FILE'),
    defaultShown: 'AWS_WEB_IDENTITY_TOKEN_FILE',
    schema: optionalText(),
  }),
  s3RoleArn: variable({
    name: 'SIGHTLINE_S3_ROLE_ARN',
    description: 'Role that the web identity assumes; AWS requires one',
    default: awsVariable('AWS_ROLE_ARN'),
    defaultShown: 'AWS_ROLE_ARN',
    schema: optionalText(),
  }),
  s3StsEndpoint: variable({
    name: 'SIGHTLINE_S3_STS_ENDPOINT',
    description:
      'Token service (STS) for the web identity; unset: that of the region for an S3 of AWS, else the S3 server itself',
    default: awsVariable('AWS_ENDPOINT_URL_STS'),
    defaultShown: 'AWS_ENDPOINT_URL_STS',
    schema: optionalText(),
  }),
};

/** The default that the webhooks of clusters set for the SDKs of AWS. */
function awsVariable(name: string): (environment: Environment) => string | null {
  return ({ [name]: text = '' }) => (text === '' ? null : text);
}
