import { describe } from '@jest/globals';
import { hasDocker } from '../gates/has-docker.ts';
import { skipWithout } from '../gates/skip-without.ts';
import { GarageProcess } from './garage-process.ts';
import { hasTool } from './tools.ts';
import { MinioProcess } from './minio-process.ts';

const IMAGE = 'minio/minio:RELEASE.2025-09-07T16-13-09Z';
const PORT = 9000;

/** An S3 for tests, with keys that may create buckets. */
export interface TestS3 extends AsyncDisposable {
  readonly endpoint: URL;
  readonly accessKey: string;
  readonly secretKey: string;
}

type Start = () => Promise<TestS3>;

/**
 * Chooses how to start an S3: the server that the environment names, otherwise a container,
 * otherwise a process.
 */
function chooseS3(): Start | null {
  const given = process.env.SIGHTLINE_TEST_S3_ENDPOINT ?? '';
  if (given !== '') return () => Promise.resolve(givenS3(new URL(given)));
  if (hasDocker()) return startContainer;
  return hasTool('minio') ? () => MinioProcess.start() : null;
}

/**
 * Describes a suite that needs an S3. It is skipped if there is no S3. The body gets the function
 * that starts an S3.
 */
export function describeWithS3(name: string, body: (start: Start) => void): void {
  const start = chooseS3();
  if (start === null) describe.skip(skipped(name), () => body(() => Promise.reject(new Error())));
  else describe(name, () => body(start));
}

/**
 * Describes a suite that kills and stops its MinIO, which must therefore be a process of this
 * machine.
 */
export function describeWithMinio(name: string, body: () => void): void {
  if (hasTool('minio')) describe(name, body);
  else describe.skip(skipped(name), body);
}

/**
 * Describes a suite that runs on a Garage, which is another S3 server than that of {@link
 * describeWithS3}.
 */
export function describeWithGarage(name: string, body: (start: Start) => void): void {
  const start = () => GarageProcess.start();
  if (hasTool('garage')) describe(name, () => body(start));
  else
    skipWithout('a Garage that "make tools" links from the shared folder', name, () => body(start));
}

function skipped(name: string): string {
  return `${name} [skipped: needs MinIO, which "make tools" unpacks or builds]`;
}

function givenS3(endpoint: URL): TestS3 {
  return {
    endpoint,
    accessKey: process.env.SIGHTLINE_TEST_S3_ACCESS_KEY ?? '',
    secretKey: process.env.SIGHTLINE_TEST_S3_SECRET_KEY ?? '',
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function startContainer(): Promise<TestS3> {
  // Importing the module takes a second, and most machines use another S3.
  const { GenericContainer, Wait } = await import('testcontainers');
  const [accessKey, secretKey] = ['test-access-key', 'test-secret-key'] as const;
  const container = await new GenericContainer(IMAGE)
    .withCommand(['server', '/data'])
    .withEnvironment({ MINIO_ROOT_USER: accessKey, MINIO_ROOT_PASSWORD: secretKey })
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forHttp('/minio/health/live', PORT))
    .start();
  return {
    endpoint: new URL(`http://${container.getHost()}:${container.getMappedPort(PORT)}`),
    accessKey,
    secretKey,
    [Symbol.asyncDispose]: async () => {
      await container.stop();
    },
  };
}
