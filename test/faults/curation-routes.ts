import { createSpare, type FaultFixture, type Route } from './fault-fixture.ts';

type Of<T> = (fixture: FaultFixture) => T;

function get(name: string, path: string | Of<string>): Route {
  return {
    name,
    ask: (fixture) => fixture.service.fetch(typeof path === 'string' ? path : path(fixture)),
  };
}

interface JsonRequest {
  readonly method?: 'POST' | 'PUT';
  readonly path: Of<string>;
  readonly body?: Of<object>;
}

function send(name: string, { method = 'POST', path, body }: JsonRequest): Route {
  return {
    name,
    ask: (fixture) =>
      fixture.service.fetch(path(fixture), {
        method,
        ...(body && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body(fixture)),
        }),
      }),
  };
}

function review(action: string, body?: Of<object>): Route {
  return send(`POST a review: ${action}`, {
    path: ({ image }) => `/api/review/${image.detectionId}/${action}`,
    ...(body && { body }),
  });
}

/** A merge removes the spare identity, so each successful merge creates a new one for the next request. */
const merge: Route = {
  name: 'POST a merge',
  async ask(fixture) {
    const { service, personId, spare } = fixture;
    const response = await service.fetch(`/api/identities/${spare.id}/merge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ into: personId }),
    });
    if (response.ok) spare.id = await createSpare(service);
    return response;
  },
};

const imagePath = ({ image }: FaultFixture) => `/api/images/${image.id}`;

/** Routes that need only the rows of a library. */
export const curationRoutes = {
  confirm: review('confirm', ({ personId }) => ({ identity_id: personId })),
  reject: review('reject'),
  unassign: review('unassign'),
  dismissMismatch: send('POST a dismissed mismatch', {
    path: ({ image }) => `/api/review/mismatches/${image.detectionId}/dismiss`,
  }),
  reviewMany: send('POST a review of several', {
    path: () => '/api/review/bulk',
    body: ({ image, personId }) => ({
      detection_ids: image.detectionIds,
      action: 'confirm',
      identity_id: personId,
    }),
  }),
  labelMany: send('POST labels', {
    path: () => '/api/detections/label',
    body: ({ image }) => ({
      items: image.detectionIds.map((id) => ({ detection_id: id, label: 'Edith' })),
    }),
  }),
  merge,
  rename: send('PUT a name', {
    method: 'PUT',
    path: ({ personId }) => `/api/identities/${personId}`,
    body: () => ({ label: 'Beatrice' }),
  }),
  summaries: get('GET people with their counts', '/api/identities/summary'),
  person: get('GET a person', ({ personId }) => `/api/identities/${personId}`),
  personGallery: get('GET a gallery', ({ personId }) => `/api/identities/${personId}/gallery`),
  embeddings: get('GET the references', '/api/face-embeddings'),
  images: get('GET the images', '/api/images'),
  imagesOfPerson: get(
    'GET images of a person',
    ({ personId }) => `/api/images?identity_id=${personId}`,
  ),
  countImages: get('GET the count of images', '/api/images/count?no_tagged_faces=true'),
  reviewQueue: get('GET the review queue', '/api/review'),
  countQueue: get('GET the count of the review queue', '/api/review/count'),
  mismatches: get('GET the mismatches', '/api/review/mismatches'),
  unknownFaces: get('GET the unknown faces', '/api/detections/unknown'),
  search: get('GET a search', '/api/search?q=bea'),
} as const satisfies Record<string, Route>;

/** Routes that read stored images. */
export const storedImageRoutes = {
  draw: send('POST a box', {
    path: (fixture) => `${imagePath(fixture)}/detections`,
    body: () => ({ type: 'face', bbox: { x: 0, y: 0, w: 64, h: 64 }, label: 'Fay' }),
  }),
  reprocess: send('POST the reprocessing of an image', {
    path: (fixture) => `${imagePath(fixture)}/reprocess?type=faces`,
  }),
  reprocessMany: send('POST the reprocessing of images', {
    path: () => '/api/images/reprocess',
    body: ({ image }) => ({ source_image_ids: [image.id], type: 'faces' }),
  }),
} as const satisfies Record<string, Route>;
