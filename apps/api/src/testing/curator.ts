import type { UndoneOperation } from '@sightline/contracts/operations/undo-operation-contract';
import type { z } from 'zod';
import type { ApiServer } from './api-server.ts';
import { photo } from './people.ts';

/** Sends requests that change what people decided, in the environment that the API has at that time. */
export class Curator {
  readonly #api: ApiServer;

  constructor(api: ApiServer) {
    this.#api = api;
  }

  /** Enrolls a person by a photo, and returns the ids. */
  async enroll(name: string, text: string) {
    const { client } = this.#api;
    const { body, headers } = await client.enrollFace({ body: { name, file: photo(text) } });
    const reference = body!.embedding_id;
    const { body: embedding } = await client.getFaceEmbedding({ path: { id: reference } });
    return {
      identity: body!.identity_id,
      face: embedding!.detection_id,
      reference,
      operation: operationOf({ headers }),
    };
  }

  /** Detects the faces of a photo, and returns their ids. */
  async detect(text: string): Promise<readonly [number, ...number[]]> {
    const { body } = await this.#api.client.detectFaces({ body: { file: photo(text) } });
    const [first, ...others] = body!.faces.map(({ detection_id: id }) => id);
    return [first!, ...others];
  }

  /** Takes an operation back within the request. */
  async undo(id: number, body: { strict?: boolean; label?: string } = {}) {
    const { headers, ...answer } = await this.#api.client.undoOperation({ path: { id }, body });
    return {
      ...answer,
      headers,
      body: answer.body as z.output<typeof UndoneOperation> | undefined,
    };
  }

  confirm(id: number, identity: number) {
    return this.#api.client.confirmFace({ path: { id }, body: { identity_id: identity } });
  }

  merge(id: number, into: number) {
    return this.#api.client.mergeIdentity({ path: { id }, body: { into } });
  }
}

/** The operation that a request is; 0 if it is none. */
export function operationOf({ headers }: { readonly headers: Headers }): number {
  return Number(headers.get('x-operation-id'));
}
