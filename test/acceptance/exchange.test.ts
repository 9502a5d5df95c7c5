import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../support/waits/eventually.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { describeInCompositions } from '../support/services/compositions.ts';
import { ok, okWith } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';

const NOTHING_NEW = {
  identities_created: 0,
  detections_created: 0,
  embeddings_created: 0,
  images_created: 0,
};
/** The left edge of the second face of a drawn photo, in pixels. */
const SECOND_FACE_X = 64;

describeInCompositions('an exchange of archives', (takeEnvironment) => {
  let here: SharedService;
  let there: SharedService;

  beforeAll(async () => {
    [here, there] = [await sharedService('standalone'), await takeEnvironment()];
  });
  afterAll(async () => {
    for (const service of [here, there]) await service[Symbol.asyncDispose]();
  });

  test('with one process leaves both with the same library', async () => {
    await workHere(here);
    const zip = await exportByJob(here);
    expect(await importByJob(there, zip)).toBe('done');
    expect(await there.rows()).toEqual(await here.rows());
    expect(await mediaOf(there)).toEqual(await mediaOf(here));

    await workThere(there);
    expect(await there.rows()).not.toEqual(await here.rows());
    const back = await exportNow(there);
    const counts = okWith(200, await here.client.importArchive({ body: { file: back } }));
    expect(counts).toMatchObject({ identities_created: 2, images_created: 1 });
    const rows = await there.rows();
    expect(await here.rows()).toEqual(rows);
    expect(await mediaOf(here)).toEqual(await mediaOf(there));

    // A second exchange changes nothing.
    expect(
      okWith(200, await there.client.importArchive({ body: { file: await exportNow(here) } })),
    ).toMatchObject(NOTHING_NEW);
    expect(await importByJob(here, await exportByJob(there))).toBe('done');
    expect([await here.rows(), await there.rows()]).toEqual([rows, rows]);

    for (const service of [here, there]) await expectKnown(service, ['Ada', 'Cem', 'Dan', 'Gus']);
  });
});

/** Creates faces of each kind: enrolled, recognized, named, rejected, dismissed and unknown. Also draws a box. */
async function workHere({ client }: SharedService): Promise<void> {
  const detect = async (...faces: string[]) => {
    const file = await drawPhoto({ faces, objects: ['bus'] });
    return ok(await client.detectAll({ body: { file } }));
  };
  const file = await drawPhoto({ faces: ['Ada'] });
  ok(await client.enrollFace({ body: { name: 'Ada', external_ref: 'crm/1', file } }));
  const again = await detect('Ada 2', 'Bea');
  const group = await detect('Cem', 'Eva', 'Fay');
  const [ada, bea] = again.faces.map(({ detection_id }) => detection_id);
  const [, eva, fay] = group.faces.map(({ detection_id }) => detection_id);
  ok(await client.labelDetection({ path: { id: bea! }, body: { label: 'Bea' } }));
  ok(await client.rejectFace({ path: { id: bea! } }));
  const { identity_id } = ok(await client.getDetection({ path: { id: ada! } }));
  ok(await client.confirmFace({ path: { id: ada! }, body: { identity_id: identity_id! } }));
  ok(
    await client.setIdentityCover({
      path: { id: identity_id! },
      body: { detection_id: ada! },
    }),
  );
  ok(await client.labelDetection({ path: { id: eva! }, body: { label: 'Éva' } }));
  ok(await client.dismissDetections({ body: { detection_ids: [fay!] } }));
  // One person gets two names, and a merge unites both identities.
  const other = ok(
    await client.enrollFace({
      body: { name: 'Gus the tall', file: await drawPhoto({ faces: ['Gus'] }) },
    }),
  );
  const gus = ok(
    await client.enrollFace({ body: { name: 'Gus', file: await drawPhoto({ faces: ['Gus 2'] }) } }),
  );
  ok(
    await client.mergeIdentity({
      path: { id: other.identity_id },
      body: { into: gus.identity_id },
    }),
  );
  const body = { type: 'object', bbox: { x: 1, y: 1, w: 20, h: 20 }, label: 'lamp' } as const;
  ok(await client.createDetection({ path: { id: group.source_image_id }, body }));
}

/** Adds a new person, and names a face that was imported without a name. */
async function workThere({ client }: SharedService): Promise<void> {
  const file = await drawPhoto({ faces: ['Dan'] });
  ok(await client.enrollFace({ body: { name: 'Dan', file } }));
  const unknown = ok(await client.listUnknownFaces()).items.find(
    ({ bbox }) => bbox.x < SECOND_FACE_X,
  );
  ok(await client.labelDetection({ path: { id: unknown!.id }, body: { label: 'Cem' } }));
}

async function exportNow(service: SharedService): Promise<File> {
  return okWith(200, await service.client.exportLibrary({ body: {} }));
}

/** Exports by a job, and fetches its result in two ranges. */
async function exportByJob(service: SharedService): Promise<File> {
  const { client } = service;
  const job = okWith(202, await client.exportLibrary({ query: { async: true }, body: {} }));
  expect(await endOf(service, job.job_id)).toBe('done');
  const range = async (bytes: string) => {
    const response = await service.fetch(`/api/jobs/${job.job_id}/results`, {
      headers: { range: `bytes=${bytes}` },
    });
    expect(response.status).toBe(206);
    return new Uint8Array(await response.arrayBuffer());
  };
  return new File([await range('0-999'), await range('1000-')], 'library.zip');
}

async function importByJob(service: SharedService, file: File): Promise<string> {
  const { client } = service;
  const job = okWith(202, await client.importArchive({ query: { async: true }, body: { file } }));
  return endOf(service, job.job_id);
}

async function endOf({ client }: SharedService, id: number): Promise<string> {
  for (;;) {
    const job = ok(await client.getJob({ path: { id } }));
    if (job.finished_at !== null) return job.status;
    await delay(50);
  }
}

/** The digests of all images and of the crops of faces. */
async function mediaOf(service: SharedService): Promise<readonly string[]> {
  const { client } = service;
  const paths = new Set<string>();
  for (const id of ok(await client.listImageIds()).ids) {
    const image = ok(await client.getImageFaces({ path: { id } }));
    for (const path of [image.source_image_url, ...image.faces.map((face) => face.crop_url)])
      paths.add(path);
  }
  const digests: string[] = [];
  for (const path of paths) {
    const response = await service.fetch(path);
    expect({ path, status: response.status }).toEqual({ path, status: 200 });
    const digest = createHash('sha256').update(new Uint8Array(await response.arrayBuffer()));
    digests.push(`${path.split('/')[2]} ${digest.digest('hex')}`);
  }
  return digests.sort();
}

/** Expects that matching recognizes these people once the index has caught up, and that search finds them. */
async function expectKnown({ client }: SharedService, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const file = await drawPhoto({ faces: [`${name} 3`] });
    await eventually(
      async () => ok(await client.identifyFaces({ body: { file } })).faces[0]!.label,
      name,
    );
    const { items } = ok(await client.searchIdentities({ query: { q: name } }));
    expect(items[0]).toMatchObject({ label: name });
  }
}
