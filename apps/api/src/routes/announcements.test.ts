import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sampleFiles, zipOf } from '@sightline/archive-zip/testing/sample-archive';
import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import { type Client, createClient } from '@sightline/contracts/client';
import type { EnvironmentRight, RouteContract } from '@sightline/contracts/define-contract';
import { analyzedObject } from '@sightline/core/analysis/testing/fake-analyzer';
import { samplePack } from '@sightline/core/models/testing/sample-pack';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { createJob, imagesJob } from '@sightline/test/support/fixtures/seed-jobs';
import { Announcements } from '../testing/announcements.ts';
import { type ApiServer, startApi } from '../testing/api-server.ts';
import { faceAt, photo } from '../testing/people.ts';
import { plantGroup } from '../testing/plant-group.ts';
import { sampleDelivery } from '../testing/sample-library.ts';
import type { Operation } from '../testing/sample-request.ts';

type Contracts = typeof API_CONTRACTS;

type Writing = {
  [Name in Operation]: Contracts[Name]['right'] extends Exclude<EnvironmentRight, 'read'>
    ? Contracts[Name]['method'] extends 'GET'
      ? never
      : Name
    : never;
}[Operation];

/** The ids of the records that are stored before each request. */
interface Home {
  /** A person with a face, its reference, and an external reference. */
  readonly anna: number;
  readonly face: number;
  readonly reference: number;
  readonly image: number;
  /** A person without faces. */
  readonly berta: number;
  /** A face without identity, and an object of the class `bicycle`, in an image with an external reference. */
  readonly stranger: number;
  readonly bicycle: number;
  readonly street: number;
  readonly job: number;
  readonly model: number;
  readonly webhook: number;
  /** An attempt to send a test message to the webhook. */
  readonly delivery: number;
}

/** An event and its data, with `SOME` for numbers that the test cannot know. */
type ExpectedEvent = readonly [event: string, data: object];

interface Case {
  /** Sends requests before the one under test. */
  readonly after?: (client: Client, home: Home) => Promise<unknown>;
  readonly request: (client: Client, home: Home) => Promise<{ readonly status: number }>;
  readonly emits: (home: Home) => readonly ExpectedEvent[];
}

const SOME = expect.any(Number);
const ANNA_REF = 'hr/1';
const STREET_REF = 'street/7';

const detection = (
  event: 'created' | 'labeled',
  detection_id: unknown,
  more: object = {},
): ExpectedEvent => [
  `detection.${event}`,
  { detection_id, type: 'face', identity_id: null, external_ref: null, ...more },
];

const anObject = { type: 'object', identity_id: SOME };
const inStreet = { external_ref: STREET_REF };

const deleted = (
  ...detections: readonly (readonly [id: number, ref: string | null])[]
): ExpectedEvent => [
  'detection.deleted',
  {
    detection_ids: detections.map(([id]) => id),
    external_refs: detections.map(([, ref]) => ref),
  },
];

const identityCreated = (
  label: string,
  ref: string | null = null,
  type = 'face',
): ExpectedEvent => ['identity.created', { identity_id: SOME, label, type, external_ref: ref }];

interface Named {
  readonly identity_id: unknown;
  readonly external_ref: string | null;
}

const newcomer: Named = { identity_id: SOME, external_ref: null };
const carla: Named = { identity_id: SOME, external_ref: 'hr/3' };
const ofAnna = ({ anna }: Home): Named => ({ identity_id: anna, external_ref: ANNA_REF });
const ofBerta = ({ berta }: Home): Named => ({ identity_id: berta, external_ref: null });

const updated = (identity: Named, action: string, facts: object): ExpectedEvent => [
  'identity.updated',
  { ...identity, action, ...facts },
];

const detectionAdded = (identity: Named): ExpectedEvent =>
  updated(identity, 'detection_added', { detection_id: SOME });

const embeddingAdded = (identity: Named, detection_id: unknown = SOME): ExpectedEvent =>
  updated(identity, 'embedding_added', { embedding_id: SOME, detection_id });

const coverOf = (identity: Named, cover_detection_id: unknown): ExpectedEvent =>
  updated(identity, 'thumbnail_updated', { cover_detection_id });

const mergedIntoBerta = (home: Home): ExpectedEvent => [
  'identity.merged',
  { ...ofAnna(home), merged_into: home.berta },
];

const ofUndo = (...events: readonly ExpectedEvent[]): readonly ExpectedEvent[] =>
  events.map(([event, data]) => [event, { ...data, operation_id: SOME }]);

const nothing = () => [];

/** A time after all records of the test were stored. */
const NOW = '2100-01-01T00:00:00Z';

/** The event when Anna loses the reference of her face. */
const leavesAnna = (home: Home): ExpectedEvent =>
  updated(ofAnna(home), 'embedding_removed', {
    embedding_id: home.reference,
    detection_id: home.face,
  });

const setCover = (client: Client, { anna: id, face }: Home) =>
  client.setIdentityCover({ path: { id }, body: { detection_id: face } });

async function undoLast(client: Client) {
  const { body } = await client.listOperations({});
  return undo(client, body!.items.find(({ kind }) => kind !== 'undo')!.id);
}

async function undoLabel(client: Client) {
  const { body } = await client.listOperations({ query: { kind: 'relabel' } });
  return undo(client, body!.items[0]!.id);
}

const undo = (client: Client, id: number) => client.undoOperation({ path: { id }, body: {} });

const archive = async (): Promise<File> => {
  const files = sampleFiles({
    identities: [{ label: 'Carla', external_ref: 'hr/3' }],
    images: [{ external_ref: 'old/1', detections: [{ identity: 1, is_cover: true }] }],
  });
  return new File([new Uint8Array(await zipOf(files))], 'library.zip');
};

/** The group of a case that begins with three strangers. */
let group: { readonly id: string; readonly faces: readonly number[] };

/** Stores three strangers who are a group. */
async function threeStrangers(client: Client): Promise<void> {
  const ids: number[] = [];
  for (const angle of ['200', '201', '202']) {
    const { body } = await client.detectFaces({ body: { file: photo(angle) } });
    ids.push(body!.faces[0]!.detection_id);
  }
  group = { id: await plantGroup(api, ids), faces: ids };
}

/** Every endpoint that may change something, with the events that it emits in each case. */
const CASES: Readonly<Record<Writing, Readonly<Record<string, Case>>>> = {
  createIdentity: {
    'that is new': {
      request: (client) =>
        client.createIdentity({ body: { label: 'Carla', type: 'face', external_ref: 'hr/3' } }),
      emits: () => [identityCreated('Carla', 'hr/3')],
    },
  },
  renameIdentity: {
    'to another label': {
      request: (client, { anna: id }) =>
        client.renameIdentity({ path: { id }, body: { label: 'Anne' } }),
      emits: (home) => [
        updated(ofAnna(home), 'renamed', { label: 'Anne', previous_label: 'Anna' }),
      ],
    },
    'to the same label': {
      request: (client, { anna: id }) =>
        client.renameIdentity({ path: { id }, body: { label: 'Anna' } }),
      emits: nothing,
    },
  },
  setIdentityRef: {
    'to another one': {
      request: (client, { anna: id }) =>
        client.setIdentityRef({ path: { id }, body: { external_ref: 'hr/9' } }),
      emits: nothing,
    },
  },
  setIdentityCover: {
    'to a detection': {
      request: setCover,
      emits: (home) => [coverOf(ofAnna(home), home.face)],
    },
    'to the same detection': { after: setCover, request: setCover, emits: nothing },
    'to none': {
      after: setCover,
      request: (client, { anna: id }) =>
        client.setIdentityCover({ path: { id }, body: { detection_id: null } }),
      emits: (home) => [coverOf(ofAnna(home), null)],
    },
  },
  mergeIdentity: {
    'with a face': {
      request: (client, { anna: id, berta }) =>
        client.mergeIdentity({ path: { id }, body: { into: berta } }),
      emits: (home) => [mergedIntoBerta(home)],
    },
    'with a face of the service that was rejected from the other': {
      after: async (client, { berta }) => {
        const { body } = await client.detectFaces({ body: { file: photo('50') } });
        const path = { id: body!.faces[0]!.detection_id };
        await client.confirmFace({ path, body: { identity_id: berta } });
        await client.rejectFace({ path });
        // The new detection is matched again, and inherits the rejection from the replaced one.
        await client.detectFaces({ body: { file: photo('50'), replace: true } });
      },
      request: (client, { anna: id, berta }) =>
        client.mergeIdentity({ path: { id }, body: { into: berta } }),
      emits: (home) => [mergedIntoBerta(home), detection('labeled', SOME)],
    },
  },
  deleteIdentity: {
    'with a face': {
      request: (client, { anna: id }) => client.deleteIdentity({ path: { id } }),
      emits: (home) => [deleted([home.face, null]), ['identity.deleted', ofAnna(home)]],
    },
    'without any': {
      request: (client, { berta: id }) => client.deleteIdentity({ path: { id } }),
      emits: (home) => [['identity.deleted', ofBerta(home)]],
    },
  },
  deleteIdentities: {
    'one after the other, the oldest first': {
      request: (client, { anna, berta }) =>
        client.deleteIdentities({ body: { identity_ids: [berta, 999_999, anna] } }),
      emits: (home) => [
        deleted([home.face, null]),
        ['identity.deleted', ofAnna(home)],
        ['identity.deleted', ofBerta(home)],
      ],
    },
  },
  detectFaces: {
    'of a stranger': {
      request: (client) =>
        client.detectFaces({ body: { file: photo('180'), external_ref: 'new/1' } }),
      emits: () => [detection('created', SOME, { external_ref: 'new/1' })],
    },
    'of a known person': {
      request: (client) => client.detectFaces({ body: { file: photo('1') } }),
      emits: (home) => [
        detection('created', SOME, { identity_id: home.anna }),
        detectionAdded(ofAnna(home)),
        embeddingAdded(ofAnna(home)),
      ],
    },
    'in a photo that is stored': {
      request: (client) => client.detectFaces({ body: { file: photo('90') } }),
      emits: nothing,
    },
    'instead of those that are stored': {
      after: setCover,
      request: (client) => client.detectFaces({ body: { file: photo('0'), replace: true } }),
      emits: (home) => [
        deleted([home.face, null]),
        leavesAnna(home),
        detection('created', SOME),
        coverOf(ofAnna(home), null),
      ],
    },
    'by the name of a person': {
      request: (client) => client.detectFaces({ body: { file: photo('180'), label: 'Carla' } }),
      emits: () => [
        identityCreated('Carla'),
        detection('created', SOME, { identity_id: SOME }),
        detectionAdded(newcomer),
        embeddingAdded(newcomer),
      ],
    },
  },
  detectObjects: {
    'of a class that is known': {
      request: (client) => client.detectObjects({ body: { file: photo('5') } }),
      emits: () => [detection('created', SOME, anObject)],
    },
    'of a new class': {
      request: (client) => client.detectObjects({ body: { file: photo('bus') } }),
      emits: () => [identityCreated('bus', null, 'object'), detection('created', SOME, anObject)],
    },
  },
  detectAll: {
    'that is in the image': {
      request: (client) => client.detectAll({ body: { file: photo('180 bus') } }),
      emits: () => [
        identityCreated('bus', null, 'object'),
        detection('created', SOME),
        detection('created', SOME, anObject),
      ],
    },
  },
  detectBulk: {
    'in several images': {
      request: (client) =>
        client.detectBulk({ body: { file: [photo('180'), photo('181')], type: 'faces' } }),
      emits: () => [detection('created', SOME), detection('created', SOME)],
    },
    'as a job, before its work': {
      request: (client) =>
        client.detectBulk({ query: { async: true }, body: { file: [photo('180')] } }),
      emits: nothing,
    },
  },
  createDetection: {
    'of a face that gets a name': {
      request: (client, { street: id }) =>
        client.createDetection({
          path: { id },
          body: { type: 'face', bbox: { x: 60, y: 60, w: 30, h: 30 }, label: 'Carla' },
        }),
      emits: () => [
        identityCreated('Carla'),
        detection('created', SOME, { identity_id: SOME, ...inStreet }),
        detectionAdded(newcomer),
        embeddingAdded(newcomer),
      ],
    },
    'of an object without a name': {
      request: (client, { street: id }) =>
        client.createDetection({
          path: { id },
          body: { type: 'object', bbox: { x: 60, y: 60, w: 30, h: 30 } },
        }),
      emits: () => [detection('created', SOME, { type: 'object', ...inStreet })],
    },
  },
  reprocessImage: {
    'in which there is more by now': {
      request: (client, { image: id }) =>
        client.reprocessImage({ path: { id }, query: { type: 'objects' } }),
      emits: () => [detection('created', SOME, anObject)],
    },
    'as a job, before its work': {
      request: (client, { image: id }) =>
        client.reprocessImage({ path: { id }, query: { async: true } }),
      emits: nothing,
    },
  },
  reprocessImages: {
    'in which there is more by now': {
      request: (client, { image }) =>
        client.reprocessImages({ body: { source_image_ids: [image, 999_999], type: 'objects' } }),
      emits: () => [detection('created', SOME, anObject)],
    },
  },
  enrollFace: {
    'of a new person': {
      request: (client) =>
        client.enrollFace({ body: { name: 'Carla', file: photo('180'), external_ref: 'hr/3' } }),
      emits: () => [
        identityCreated('Carla', 'hr/3'),
        detection('created', SOME, { identity_id: SOME }),
        detectionAdded(carla),
        embeddingAdded(carla),
      ],
    },
    'that is enrolled': {
      request: (client) => client.enrollFace({ body: { name: 'Anna', file: photo('0') } }),
      emits: nothing,
    },
    'that is stored': {
      request: (client) => client.enrollFace({ body: { name: 'Anna', file: photo('90') } }),
      emits: (home) => [
        detection('labeled', home.stranger, { identity_id: home.anna, ...inStreet }),
        embeddingAdded(ofAnna(home), home.stranger),
      ],
    },
  },
  enrollIdentity: {
    'by a photo': {
      request: (client, { berta: id }) =>
        client.enrollIdentity({ path: { id }, body: { file: photo('180') } }),
      emits: (home) => [
        detection('created', SOME, { identity_id: home.berta }),
        detectionAdded(ofBerta(home)),
        embeddingAdded(ofBerta(home)),
      ],
    },
  },
  enrollDetection: {
    'that has lost its reference': {
      after: (client, { face: id }) => client.revokeDetection({ path: { id } }),
      request: (client, { face: id }) => client.enrollDetection({ path: { id } }),
      emits: (home) => [embeddingAdded(ofAnna(home), home.face)],
    },
    'that is enrolled': {
      request: (client, { face: id }) => client.enrollDetection({ path: { id } }),
      emits: nothing,
    },
  },
  revokeDetection: {
    'that is enrolled': {
      request: (client, { face: id }) => client.revokeDetection({ path: { id } }),
      emits: (home) => [leavesAnna(home)],
    },
    'that is not': {
      request: (client, { stranger: id }) => client.revokeDetection({ path: { id } }),
      emits: nothing,
    },
  },
  deleteFaceEmbedding: {
    'of a face that stays': {
      request: (client, { reference: id }) => client.deleteFaceEmbedding({ path: { id } }),
      emits: (home) => [leavesAnna(home)],
    },
  },
  undoOperation: {
    'of a decision': {
      after: (client, { stranger: id, berta }) =>
        client.confirmFace({ path: { id }, body: { identity_id: berta } }),
      request: undoLast,
      emits: (home) =>
        ofUndo(
          detection('labeled', home.stranger, inStreet),
          updated(ofBerta(home), 'embedding_removed', {
            embedding_id: SOME,
            detection_id: home.stranger,
          }),
        ),
    },
    'of a merge': {
      after: (client, { anna: id, berta }) =>
        client.mergeIdentity({ path: { id }, body: { into: berta } }),
      request: undoLast,
      emits: (home) =>
        ofUndo(
          identityCreated('Anna', ANNA_REF),
          detection('labeled', home.face, { identity_id: home.anna }),
          updated(ofBerta(home), 'embedding_removed', {
            embedding_id: home.reference,
            detection_id: home.face,
          }),
          embeddingAdded(ofAnna(home), home.face),
        ),
    },
    'of a deletion': {
      after: (client, { anna: id }) => client.deleteIdentity({ path: { id } }),
      request: undoLast,
      emits: (home) =>
        ofUndo(
          identityCreated('Anna', ANNA_REF),
          detection('created', home.face, { identity_id: home.anna }),
          embeddingAdded(ofAnna(home), home.face),
        ),
    },
    'of another name': {
      after: (client, { anna: id }) =>
        client.renameIdentity({ path: { id }, body: { label: 'Anne' } }),
      request: undoLast,
      emits: (home) =>
        ofUndo(updated(ofAnna(home), 'renamed', { label: 'Anna', previous_label: 'Anne' })),
    },
    'of a label that was new': {
      after: (client, { stranger: id }) =>
        client.labelDetection({ path: { id }, body: { label: 'Carla' } }),
      request: undoLast,
      emits: (home) =>
        ofUndo(
          detection('labeled', home.stranger, inStreet),
          updated(newcomer, 'embedding_removed', {
            embedding_id: SOME,
            detection_id: home.stranger,
          }),
          ['identity.deleted', newcomer],
        ),
    },
    'of a label whose face was deleted since': {
      after: async (client, { stranger: id }) => {
        await client.labelDetection({ path: { id }, body: { label: 'Carla' } });
        await client.deleteDetection({ path: { id } });
      },
      request: undoLabel,
      emits: () => ofUndo(['identity.deleted', newcomer]),
    },
  },
  confirmFace: {
    'without an identity': {
      request: (client, { stranger: id, berta }) =>
        client.confirmFace({ path: { id }, body: { identity_id: berta } }),
      emits: (home) => [
        detection('labeled', home.stranger, { identity_id: home.berta, ...inStreet }),
        embeddingAdded(ofBerta(home), home.stranger),
      ],
    },
    'of another one, whose cover it was': {
      after: setCover,
      request: (client, { face: id, berta }) =>
        client.confirmFace({ path: { id }, body: { identity_id: berta } }),
      emits: (home) => [
        detection('labeled', home.face, { identity_id: home.berta }),
        leavesAnna(home),
        embeddingAdded(ofBerta(home), home.face),
        coverOf(ofAnna(home), null),
      ],
    },
    'that is confirmed': {
      request: (client, { face: id, anna }) =>
        client.confirmFace({ path: { id }, body: { identity_id: anna } }),
      emits: nothing,
    },
  },
  unassignFace: {
    'with an identity': {
      request: (client, { face: id }) => client.unassignFace({ path: { id } }),
      emits: (home) => [detection('labeled', home.face), leavesAnna(home)],
    },
    'without an identity': {
      request: (client, { stranger: id }) => client.unassignFace({ path: { id } }),
      emits: nothing,
    },
  },
  rejectFace: {
    'with an identity': {
      request: (client, { face: id }) => client.rejectFace({ path: { id } }),
      emits: (home) => [detection('labeled', home.face), leavesAnna(home)],
    },
    'without an identity': {
      request: (client, { stranger: id }) => client.rejectFace({ path: { id } }),
      emits: nothing,
    },
  },
  restoreFace: {
    'that had an identity': {
      after: (client, { face: id }) => client.rejectFace({ path: { id } }),
      request: (client, { face: id }) => client.restoreFace({ path: { id } }),
      emits: (home) => [detection('labeled', home.face, { identity_id: home.anna })],
    },
    'that had no identity': {
      after: (client, { stranger: id }) => client.rejectFace({ path: { id } }),
      request: (client, { stranger: id }) => client.restoreFace({ path: { id } }),
      emits: nothing,
    },
  },
  reassignFace: {
    'to a new name': {
      request: (client, { face: id }) =>
        client.reassignFace({ path: { id }, body: { name: 'Carla' } }),
      emits: (home) => [
        identityCreated('Carla'),
        detection('labeled', home.face, { identity_id: SOME }),
        leavesAnna(home),
        embeddingAdded(newcomer, home.face),
      ],
    },
  },
  labelDetection: {
    'that is a face': {
      request: (client, { stranger: id }) =>
        client.labelDetection({ path: { id }, body: { label: 'Carla' } }),
      emits: ({ stranger }) => [
        identityCreated('Carla'),
        detection('labeled', stranger, { identity_id: SOME, ...inStreet }),
        embeddingAdded(newcomer, stranger),
      ],
    },
    'that is an object': {
      request: (client, { bicycle: id }) =>
        client.labelDetection({ path: { id }, body: { label: 'tandem' } }),
      emits: ({ bicycle }) => [
        identityCreated('tandem', null, 'object'),
        detection('labeled', bicycle, { ...anObject, ...inStreet }),
      ],
    },
  },
  labelDetections: {
    'one after the other': {
      request: (client, { stranger, face, berta }) =>
        client.labelDetections({
          body: {
            items: [
              { detection_id: stranger, identity_id: berta },
              { detection_id: 999_999, identity_id: berta },
              { detection_id: face, identity_id: berta },
            ],
          },
        }),
      emits: (home) => [
        detection('labeled', home.stranger, { identity_id: home.berta, ...inStreet }),
        embeddingAdded(ofBerta(home), home.stranger),
        detection('labeled', home.face, { identity_id: home.berta }),
        leavesAnna(home),
        embeddingAdded(ofBerta(home), home.face),
      ],
    },
  },
  reviewFaces: {
    'one after the other': {
      request: (client, { stranger, bicycle, face }) =>
        client.reviewFaces({
          body: { action: 'reject', detection_ids: [bicycle, face, stranger, face] },
        }),
      emits: (home) => [detection('labeled', home.face), leavesAnna(home)],
    },
  },
  labelCluster: {
    'with a new name, without one face that is rejected': {
      after: threeStrangers,
      request: (client) =>
        client.labelCluster({
          path: { cluster_id: group.id },
          body: { label: 'Carla', except: [group.faces[1]!], reject_except: true },
        }),
      emits: () => [
        identityCreated('Carla'),
        ...[1, 2].flatMap(() => [
          detection('labeled', SOME, { identity_id: SOME }),
          embeddingAdded(newcomer),
        ]),
      ],
    },
  },
  dismissCluster: {
    'of strangers': {
      after: threeStrangers,
      request: (client) => client.dismissCluster({ path: { cluster_id: group.id }, body: {} }),
      emits: nothing,
    },
  },
  dismissDetections: {
    'that wait for a decision': {
      request: (client, { stranger }) =>
        client.dismissDetections({ body: { detection_ids: [stranger] } }),
      emits: nothing,
    },
  },
  dismissMismatch: {
    'of a face': {
      request: (client, { face: id }) => client.dismissMismatch({ path: { id } }),
      emits: nothing,
    },
  },
  dismissMismatches: {
    'of a face': {
      request: (client, { face }) => client.dismissMismatches({ body: { detection_ids: [face] } }),
      emits: nothing,
    },
  },
  deleteDetection: {
    'of an identity that remains': {
      after: setCover,
      request: (client, { face: id }) => client.deleteDetection({ path: { id } }),
      emits: (home) => [deleted([home.face, null]), leavesAnna(home), coverOf(ofAnna(home), null)],
    },
  },
  bulkDetections: {
    'before its job runs': {
      request: (client, { face }) =>
        client.bulkDetections({
          body: { action: 'dismiss', where: {}, as_of: NOW, except: [face] },
        }),
      emits: nothing,
    },
  },
  bulkImages: {
    'before its job runs': {
      request: (client) =>
        client.bulkImages({ body: { action: 'reprocess', where: {}, as_of: NOW } }),
      emits: nothing,
    },
  },
  deleteDetections: {
    'of several images': {
      request: (client, { face, stranger, bicycle }) =>
        client.deleteDetections({ body: { detection_ids: [bicycle, face, 999_999, stranger] } }),
      emits: (home) => [
        deleted([home.face, null], [home.stranger, STREET_REF], [home.bicycle, STREET_REF]),
        leavesAnna(home),
      ],
    },
  },
  deleteImage: {
    'with all that is in it': {
      request: (client, { street: id }) => client.deleteImage({ path: { id } }),
      emits: ({ stranger, bicycle }) => [deleted([stranger, STREET_REF], [bicycle, STREET_REF])],
    },
  },
  importArchive: {
    'with an identity and its face': {
      request: async (client) => client.importArchive({ body: { file: await archive() } }),
      emits: () => [
        identityCreated('Carla', 'hr/3'),
        detection('created', SOME, { identity_id: SOME, external_ref: 'old/1' }),
        detectionAdded(carla),
        coverOf(carla, SOME),
      ],
    },
    'as a job, before its work': {
      request: async (client) =>
        client.importArchive({ query: { async: true }, body: { file: await archive() } }),
      emits: nothing,
    },
  },
  exportLibrary: {
    'at once': { request: (client) => client.exportLibrary({ body: {} }), emits: nothing },
    'as a job, before its work': {
      request: (client) => client.exportLibrary({ query: { async: true }, body: {} }),
      emits: nothing,
    },
  },
  cancelJob: {
    'that has not started': {
      request: (client, { job: id }) => client.cancelJob({ path: { id } }),
      emits: ({ job }) => [
        [
          'job.done',
          { job_id: job, type: 'reprocess', status: 'failed', total: 2, done: 0, failed: 2 },
        ],
      ],
    },
  },
  retryJob: {
    'that was cancelled': {
      after: (client, { job: id }) => client.cancelJob({ path: { id } }),
      request: (client, { job: id }) => client.retryJob({ path: { id } }),
      emits: nothing,
    },
  },
  deleteJob: {
    'that has ended': {
      after: (client, { job: id }) => client.cancelJob({ path: { id } }),
      request: (client, { job: id }) => client.deleteJob({ path: { id } }),
      emits: nothing,
    },
  },
  downloadModel: {
    'before it is here': {
      request: (client, { model: id }) => client.downloadModel({ path: { id } }),
      emits: nothing,
    },
  },
  activateModel: {
    'that is active': {
      request: async (client) => {
        const { body } = await client.listModels();
        const { id } = body!.items.find(({ active }) => active)!;
        return client.activateModel({ path: { id }, body: {} });
      },
      emits: nothing,
    },
  },
  registerWebhook: {
    'for all events': {
      request: (client) =>
        client.registerWebhook({ body: { url: 'https://hooks.example/', secret: 'hush' } }),
      emits: nothing,
    },
  },
  changeWebhook: {
    'to be off': {
      request: (client, { webhook: id }) =>
        client.changeWebhook({ path: { id }, body: { is_active: false } }),
      emits: nothing,
    },
  },
  pingWebhook: {
    'by hand': {
      request: (client, { webhook: id }) => client.pingWebhook({ path: { id } }),
      emits: nothing,
    },
  },
  sendDelivery: {
    'that was made': {
      request: (client, { webhook: id, delivery: delivery_id }) =>
        client.sendDelivery({ path: { id, delivery_id } }),
      emits: nothing,
    },
  },
  deleteWebhook: {
    'that is on': {
      request: (client, { webhook: id }) => client.deleteWebhook({ path: { id } }),
      emits: nothing,
    },
  },
  putSetting: {
    'to another value': {
      request: (client) =>
        client.putSetting({ path: { key: 'webhook.url' }, body: { value: 'https://a.example/' } }),
      emits: nothing,
    },
  },
};

let api: ApiServer;
let announcements: Announcements;
let home: Home;
let environmentId: number;
let client: Client;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  announcements = await Announcements.open(api.stores);
  await api.stores.catalog.sync([samplePack('pack')]);
});
afterAll(() => api[Symbol.asyncDispose]());

beforeEach(async () => {
  await api.reset();
  const { analyzer } = api;
  analyzer.facesOf = (text) => (/^\d/.test(text) ? [faceAt(Number.parseFloat(text))] : []);
  analyzer.objectsOf = (text) => [
    text.endsWith('bus') ? analyzedObject({ classId: 5, className: 'bus' }) : analyzedObject(),
  ];
  client = await api.clientOf({ isAdmin: true });
  environmentId = (await api.stores.keys.environment(api.environment)).id;
  home = await furnish();
  await announcements.next();
});

async function furnish(): Promise<Home> {
  const { body: anna } = await client.enrollFace({
    body: { name: 'Anna', file: photo('0'), external_ref: ANNA_REF },
  });
  const { body: references } = await client.listFaceEmbeddings();
  const [reference] = references!.items;
  const { body: berta } = await client.createIdentity({ body: { label: 'Berta', type: 'face' } });
  const { body: street } = await client.detectAll({
    body: { file: photo('90'), external_ref: STREET_REF },
  });
  const job = await createJob(api.stores, { scope: { environmentId } }, imagesJob(2));
  const { body: webhook } = await client.registerWebhook({
    body: { url: 'https://hooks.example/' },
  });
  const ids = { environmentId, webhook: webhook!.id };
  const delivery = await sampleDelivery({ stores: api.stores, client }, ids);
  const { body: models } = await client.listModels();
  const pack = models!.items.find(({ name }) => name === 'pack')!;
  return {
    anna: anna!.identity_id,
    face: reference!.detection_id,
    reference: reference!.id,
    image: reference!.source_image_id,
    berta: berta!.id,
    stranger: street!.faces[0]!.detection_id,
    bicycle: street!.objects[0]!.detection_id,
    street: street!.source_image_id,
    job: job.id,
    model: pack.id,
    webhook: webhook!.id,
    delivery,
  };
}

/**
 * Creates an administrator's client that sends the same Idempotency-Key with each POST, so that an equal request is a
 * retry.
 */
async function repeating(): Promise<Client> {
  const apiKey = await api.createKey({ isAdmin: true });
  return createClient({
    baseUrl: api.base,
    apiKey,
    fetch: (url, init) => {
      const headers = new Headers(init?.headers);
      if (init?.method === 'POST') headers.set('Idempotency-Key', 'once');
      return fetch(url, { ...init, headers });
    },
  });
}

const emitted = async () =>
  (await announcements.next()).map(({ event, data, environmentId: id }) => {
    // No request emits an event of another environment.
    expect(id).toBe(environmentId);
    return [event, data];
  });

const all = Object.entries(CASES).flatMap(([name, cases]) =>
  Object.entries(cases).map(([what, each]) => [name as Writing, what, each] as const),
);

describe('the events of a request', () => {
  test.each(all)('%s %s', async (name, _what, { after, request, emits }) => {
    await after?.(client, home);
    await announcements.next();
    const again = await repeating();
    const { status } = await request(again, home);
    expect(status).toBeLessThan(300);
    expect(await emitted()).toEqual(emits(home));
    const contract: RouteContract = API_CONTRACTS[name];
    if (contract.idempotent !== true) return;
    expect((await request(again, home)).status).toBe(status);
    expect(await emitted()).toEqual([]);
  });
});
