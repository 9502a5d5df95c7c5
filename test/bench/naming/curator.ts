import type { Client } from '@sightline/contracts/client';
import { ok, okWith } from '../../support/services/ok.ts';
import type { Album } from './album.ts';

/** The most faces of a group that an answer has. */
const WHOLE_GROUP = 1000;
/** The most items of a page. */
const PAGE = 200;

/** The decisions of a curator, each about a group or a face. */
export interface Decisions {
  /** Names that were given to a group of strangers or to a face. */
  names: number;
  /** Suggestions that were confirmed, for all faces of a group or for one. */
  confirmations: number;
  /** Faces that were taken out of a group before it was named or confirmed. */
  takenOut: number;
}

/** A face, with the name that is suggested first, if any. */
interface SeenFace {
  readonly id: number;
  readonly suggested: { readonly id: number; readonly label: string } | null;
}

/**
 * A curator who knows the name of every face. Faces in the background have no name, and stay as they are. The curator decides
 * about a group only if that saves decisions.
 */
export class NamingCurator {
  readonly decisions: Decisions = { names: 0, confirmations: 0, takenOut: 0 };
  readonly #album: Album;

  constructor(album: Album) {
    this.#album = album;
  }

  /** Names groups of strangers until those that are left are not worth it. */
  async nameGroups(): Promise<void> {
    for (let hasNamed = true; hasNamed;) {
      await this.#album.settled();
      hasNamed = false;
      for (const group of await this.#groups()) {
        const [person, right] = this.#mostOf(group.faces);
        const except = group.faces.filter((id) => !right.includes(id));
        if (1 + except.length >= right.length) continue;
        const path = { cluster_id: group.id };
        okWith(200, await this.#client.labelCluster({ path, body: { label: person, except } }));
        this.decisions.names++;
        this.decisions.takenOut += except.length;
        hasNamed = true;
      }
    }
  }

  /** Confirms the suggestions of many faces at once, until those that are left are not worth it. */
  async confirmGroups(): Promise<void> {
    for (let hasConfirmed = true; hasConfirmed;) {
      await this.#album.settled();
      hasConfirmed = false;
      for (const group of await this.#suggestions()) {
        const right = group.faces.filter((id) => this.#album.people.get(id) === group.label);
        const except = group.faces.filter((id) => !right.includes(id));
        if (1 + except.length > right.length) continue;
        const where = { suggested_identity_id: group.id };
        const body = { where, action: 'confirm' as const, as_of: group.asOf, except };
        okWith(200, await this.#client.reviewFaces({ body }));
        this.decisions.confirmations++;
        this.decisions.takenOut += except.length;
        hasConfirmed = true;
      }
    }
  }

  /** Names the faces that wait for review one by one, a page at a time. */
  async nameEach(limit: number): Promise<void> {
    for (let cursor: string | undefined, hasMore = true; hasMore;) {
      await this.#album.settled();
      const page = ok(await this.#client.listReviewQueue({ query: { limit, cursor } }));
      for (const { detection_id: id, suggested_matches: matches } of page.items) {
        const [best] = matches;
        await this.#nameOne({
          id,
          suggested: best === undefined ? null : { id: best.identity_id, label: best.label },
        });
      }
      hasMore = page.has_more;
      cursor = page.next_cursor ?? undefined;
    }
  }

  async #nameOne({ id, suggested }: SeenFace): Promise<void> {
    const person = this.#album.people.get(id);
    if (person === undefined) return;
    if (suggested?.label === person) {
      ok(await this.#client.confirmFace({ path: { id }, body: { identity_id: suggested.id } }));
      this.decisions.confirmations++;
    } else {
      ok(await this.#client.reassignFace({ path: { id }, body: { name: person } }));
      this.decisions.names++;
    }
  }

  get #client(): Client {
    return this.#album.client;
  }

  /** The person with the most of these faces, and the faces that are theirs. */
  #mostOf(ids: readonly number[]): readonly [person: string, faces: readonly number[]] {
    const { people } = this.#album;
    const named = ids.filter((id) => people.has(id));
    const [most] = [...Map.groupBy(named, (id) => people.get(id)!)].sort(
      ([, a], [, b]) => b.length - a.length,
    );
    return most ?? ['', []];
  }

  async #groups() {
    const groups: { readonly id: string; readonly faces: readonly number[] }[] = [];
    for (let cursor: string | undefined, hasMore = true; hasMore;) {
      const query = { items: WHOLE_GROUP, limit: PAGE, cursor };
      const page = ok(await this.#client.listClusters({ query }));
      for (const { cluster_id: id, items } of page.clusters)
        groups.push({ id, faces: items.map((face) => face.detection_id) });
      hasMore = page.has_more;
      cursor = page.next_cursor ?? undefined;
    }
    return groups;
  }

  /** The groups of suggestions. A group that has more faces than the samples is looked at in the queue. */
  async #suggestions() {
    const page = ok(await this.#client.listSuggestionGroups({ query: { limit: PAGE } }));
    if (page.has_more) throw new Error('There are more groups than a page has.');
    return Promise.all(
      page.items.map(async ({ identity_id: id, label, count, samples }) => {
        const query = { identity_id: id, limit: PAGE };
        const seen =
          count === samples.length
            ? samples
            : ok(await this.#client.listReviewQueue({ query })).items;
        return { id, label, asOf: page.as_of, faces: seen.map((face) => face.detection_id) };
      }),
    );
  }
}
