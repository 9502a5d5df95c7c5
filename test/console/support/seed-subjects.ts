import { drawPhoto } from '../../support/fixtures/draw-photo.ts';
import { ok, okWith } from '../../support/services/ok.ts';
import type { Subjects } from './console-addresses.ts';
import type { Curator } from './curator.ts';

/** A label that is longer than the narrowest window. */
export const LONG_NAME = 'Maximiliane Freifrau-von-und-zu-Grafenstein-Hohenlohe';

/** Stores one thing of each kind that has a page, with a long name. */
export async function seedSubjects({ client }: Curator): Promise<Subjects> {
  const name = LONG_NAME;
  const portrait = await drawPhoto({ faces: ['Ada'] });
  const enrolled = ok(await client.enrollFace({ body: { name, file: portrait } }));
  const file = await drawPhoto({ faces: ['Ada 2', 'Stranger'], objects: ['apple'] });
  const { source_image_id: image } = ok(await client.detectAll({ body: { file } }));
  const { job_id: job } = okWith(
    202,
    await client.reprocessImages({ query: { async: true }, body: { source_image_ids: [image] } }),
  );
  const webhook = { url: 'https://hooks.example.org/sightline', label: name, events: [] };
  const { id } = ok(await client.registerWebhook({ body: webhook }));
  return { person: enrolled.identity_id, image, class: 'apple', job, webhook: id };
}
