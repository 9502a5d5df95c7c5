import { freshPhoto, people } from '../support/fixtures/draw-photo.ts';
import { curationRoutes, storedImageRoutes } from './curation-routes.ts';
import type { Route, FaultFixture } from './fault-fixture.ts';

function postPhoto(
  path: string,
  faces: readonly string[],
  { fields, note }: PostOptions = {},
): Route {
  return {
    name: `POST ${path}`,
    async ask(fixture) {
      const body = new FormData();
      body.append('file', await freshPhoto({ faces }), 'photo.jpg');
      for (const [field, value] of Object.entries(fields ?? {})) body.append(field, value);
      const response = await fixture.service.fetch(path, { method: 'POST', body });
      if (response.ok) note?.(fixture, (await response.clone().json()) as Stored);
      return response;
    },
  };
}

interface PostOptions {
  readonly fields?: Readonly<Record<string, string>>;
  /** Records what the service acknowledged. */
  readonly note?: (fixture: FaultFixture, stored: Stored) => void;
}

interface Stored {
  readonly source_image_id: number;
  readonly embedding_id: number;
}

function get(path: string): Route {
  return { name: `GET ${path}`, ask: ({ service }) => service.fetch(path) };
}

function getOperations(path: string): Route {
  return { name: `GET ${path}`, ask: ({ service }) => fetch(service.opsUrl + path) };
}

const noteImage = ({ acknowledged }: FaultFixture, stored: Stored): void => {
  acknowledged.images.add(stored.source_image_id);
};

const noteReference = ({ acknowledged }: FaultFixture, stored: Stored): void => {
  acknowledged.references.add(stored.embedding_id);
};

const detect = postPhoto('/api/detect/faces', ['Beatrice 2'], { note: noteImage });

export const routes = {
  detect,
  enroll: postPhoto('/api/faces/enroll', ['Clara'], {
    fields: { name: 'Clara' },
    note: noteReference,
  }),
  identify: postPhoto('/api/identify', ['Beatrice 2']),
  test: postPhoto('/api/test', ['Beatrice 2'], { fields: { type: 'faces' } }),
  verify: {
    name: 'POST /api/verify',
    async ask({ service }) {
      const body = new FormData();
      body.append('file1', await freshPhoto({ faces: ['Beatrice'] }), 'one.jpg');
      body.append('file2', await freshPhoto({ faces: ['Beatrice 2'] }), 'other.jpg');
      return service.fetch('/api/verify', { method: 'POST', body });
    },
  },
  identities: get('/api/identities'),
  imageIds: get('/api/images/ids'),
  stats: get('/api/stats'),
  openFile: {
    name: 'GET the file of an image',
    ask: ({ service, image }) => service.fetch(image.url),
  },
  openRange: {
    name: 'GET a part of a crop',
    ask: ({ service, image }) => service.fetch(image.cropUrl, { headers: { range: 'bytes=2-9' } }),
  },
  readImage: {
    name: 'GET the faces of an image',
    ask: ({ service, image }) => service.fetch(`/api/images/${image.id}/faces`),
  },
  curate: {
    name: 'PUT a label',
    ask: ({ service, image }) =>
      service.fetch(`/api/detections/${image.detectionId}/label`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ label: 'Doris' }),
      }),
  },
  ...curationRoutes,
  ...storedImageRoutes,
  capabilities: get('/api/capabilities'),
  docs: get('/docs'),
  openapi: get('/openapi.json'),
  livez: getOperations('/livez'),
  readyz: getOperations('/readyz'),
} as const satisfies Record<string, Route>;

/**
 * Photos with sixteen faces need a new page of a table. A smaller row may still fit into an
 * existing page when the disk is full.
 */
const CROWD = postPhoto('/api/detect/faces', people(16), { note: noteImage });
const MOST_CROWDS = 30;

/** Stores photos until the disk has no room for another photo. */
export const detectUntilFull: Route = {
  name: 'POST /api/detect/faces until there is no room',
  async ask(fixture) {
    for (let stored = 0; ; stored++) {
      const response = await CROWD.ask(fixture);
      if (!response.ok || stored === MOST_CROWDS) return response;
    }
  },
  again: detect,
};
