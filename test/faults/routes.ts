import { freshPhoto } from './fresh-photo.ts';
import type { Route, Situation } from './situation.ts';

function postPhoto(path: string, name: string, { fields, note }: PostOptions = {}): Route {
  return {
    name: `POST ${path}`,
    async ask(situation) {
      const body = new FormData();
      body.append('file', await freshPhoto(`people/${name}.jpg`), 'photo.jpg');
      for (const [field, value] of Object.entries(fields ?? {})) body.append(field, value);
      const response = await situation.service.fetch(path, { method: 'POST', body });
      if (response.ok) note?.(situation, (await response.clone().json()) as Stored);
      return response;
    },
  };
}

interface PostOptions {
  readonly fields?: Readonly<Record<string, string>>;
  /** Keeps in mind what was acknowledged. */
  readonly note?: (situation: Situation, stored: Stored) => void;
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

const noteImage = ({ acknowledged }: Situation, stored: Stored): void => {
  acknowledged.images.add(stored.source_image_id);
};

const noteReference = ({ acknowledged }: Situation, stored: Stored): void => {
  acknowledged.references.add(stored.embedding_id);
};

const detect = postPhoto('/api/detect/faces', '008_B', { note: noteImage });

/** Requests by what they need. */
export const routes = {
  detect,
  enroll: postPhoto('/api/faces/enroll', '009_C', {
    fields: { name: 'Clara' },
    note: noteReference,
  }),
  identify: postPhoto('/api/identify', '008_B'),
  test: postPhoto('/api/test', '008_B', { fields: { type: 'faces' } }),
  verify: {
    name: 'POST /api/verify',
    async ask({ service }) {
      const body = new FormData();
      body.append('file1', await freshPhoto('people/007_B.jpg'), 'one.jpg');
      body.append('file2', await freshPhoto('people/008_B.jpg'), 'other.jpg');
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
  capabilities: get('/api/capabilities'),
  docs: get('/docs'),
  openapi: get('/openapi.json'),
  livez: getOperations('/livez'),
  readyz: getOperations('/readyz'),
} as const satisfies Record<string, Route>;

/** What a page of a table has left takes a row more; five faces need several pages. */
const CROWD = postPhoto('/api/detect/faces', '014_5', { note: noteImage });
const MOST_CROWDS = 30;

/** Stores photos until there is no room for another. */
export const detectUntilFull: Route = {
  name: 'POST /api/detect/faces until there is no room',
  async ask(situation) {
    for (let stored = 0; ; stored++) {
      const response = await CROWD.ask(situation);
      if (!response.ok || stored === MOST_CROWDS) return response;
    }
  },
  again: detect,
};
