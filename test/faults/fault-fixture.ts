import { ok } from '../support/services/ok.ts';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import type { RunningStandalone } from '../support/services/running-standalone.ts';
import { untilAvailable } from '../support/servers/until-available.ts';

/** A service with an enrolled person and a stored image. */
export interface FaultFixture {
  readonly service: RunningStandalone;
  /** An image that was stored before the faults. */
  readonly image: {
    readonly id: number;
    readonly url: string;
    readonly cropUrl: string;
    readonly detectionId: number;
    readonly detectionIds: readonly number[];
  };
  readonly personId: number;
  /** An identity without faces, which a test may remove if it creates another one. */
  readonly spare: { id: number };
  readonly acknowledged: Acknowledged;
}

/** The ids of acknowledged images and references. */
export interface Acknowledged {
  readonly images: Set<number>;
  readonly references: Set<number>;
}

/** One request to the service, with a name for messages. */
export interface Route {
  readonly name: string;
  ask(fixture: FaultFixture): Promise<Response>;
  /** The request that is sent once the fault is over; by default the same request as during the fault. */
  readonly again?: Route;
}

/**
 * Enrolls a person and stores an image. Requests are retried on 503, because the proxies of the
 * stores run in this process, which may be busy.
 */
export async function seedService(service: RunningStandalone): Promise<FaultFixture> {
  const { client } = service;
  const known = await drawPhoto({ faces: ['Beatrice'] });
  const enroll = () => client.enrollFace({ body: { name: 'Beatrice', file: known } });
  const reference = ok(await untilAvailable(enroll));
  const file = await drawPhoto({ faces: ['Ada', 'Bea'] });
  const stored = ok(await untilAvailable(() => client.detectFaces({ body: { file } })));
  const { crop_url: cropUrl, detection_id: detectionId } = stored.faces[0]!;
  const image = {
    id: stored.source_image_id,
    url: stored.source_image_url,
    cropUrl,
    detectionId,
    detectionIds: stored.faces.map(({ detection_id }) => detection_id),
  };
  const acknowledged = {
    images: new Set([image.id]),
    references: new Set([reference.embedding_id]),
  };
  const spare = { id: await createSpare(service) };
  return { service, image, personId: reference.identity_id, spare, acknowledged };
}

/** Creates an identity that a test may remove. */
export async function createSpare({ client }: RunningStandalone): Promise<number> {
  const body = { type: 'face', label: 'Spare' } as const;
  return ok(await untilAvailable(() => client.createIdentity({ body }))).id;
}
