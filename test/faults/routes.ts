import { photo } from '../support/photo.ts';
import type { Route } from './describe-faults.ts';

function postPhoto(path: string, name: string, more: Readonly<Record<string, string>> = {}): Route {
  return {
    name: `POST ${path}`,
    async ask({ service }) {
      const body = new FormData();
      body.append('file', await photo(`people/${name}.jpg`), 'photo.jpg');
      for (const [field, value] of Object.entries(more)) body.append(field, value);
      return service.fetch(path, { method: 'POST', body });
    },
  };
}

function get(path: string): Route {
  return { name: `GET ${path}`, ask: ({ service }) => service.fetch(path) };
}

/** Requests by what they need. */
export const routes = {
  detect: postPhoto('/api/detect/faces', '008_B'),
  enroll: postPhoto('/api/faces/enroll', '009_C', { name: 'Clara' }),
  identify: postPhoto('/api/identify', '008_B'),
  identities: get('/api/identities'),
  imageIds: get('/api/images/ids'),
  stats: get('/api/stats'),
  health: get('/api/health'),
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
} as const satisfies Record<string, Route>;
