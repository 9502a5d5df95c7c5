import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@sightline/contracts/client';
import { ok, okWith } from '../../support/services/ok.ts';
import type { Subjects } from '../support/console-addresses.ts';
import { drawnPhotos, PEOPLE, portraitOf } from './drawn-photos.ts';

/** Fills an environment, and returns one thing of each kind that has a page. */
export async function seedLibrary(client: Client, folder: string | null): Promise<Subjects> {
  const persons = [];
  for (const name of PEOPLE) {
    persons.push(ok(await client.enrollFace({ body: { name, file: await portraitOf(name) } })));
  }
  for (const file of await drawnPhotos()) await store(client, file);
  if (folder !== null) await storeFolder(client, folder);
  const { items } = ok(await client.listImages({ query: { sort: 'most_detections', limit: 1 } }));
  const ids = items.map(({ id }) => id);
  const body = { source_image_ids: ids, type: 'faces', replace: false } as const;
  const job = okWith(202, await client.reprocessImages({ query: { async: true }, body }));
  const webhook = { url: 'https://hooks.example.org/sightline', label: 'Door', events: [] };
  return {
    person: persons[1]!.identity_id,
    image: ids[0],
    class: await greatestClass(client),
    job: job.job_id,
    webhook: ok(await client.registerWebhook({ body: webhook })).id,
  };
}

async function store(client: Client, file: File): Promise<void> {
  // A photo without faces and objects is stored, too.
  ok(await client.detectAll({ body: { file } }));
}

/** Stores photos like `Ada_Baker_0001.jpg`. The first one of each person with several is enrolled. */
async function storeFolder(client: Client, folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).sort();
  for (const [person, photos] of Map.groupBy(names, (name) => name.replace(/_\d+\.jpg$/, ''))) {
    for (const [index, name] of photos.entries()) {
      const file = new File([await readFile(join(folder, name))], name, { type: 'image/jpeg' });
      const label = person.replaceAll('_', ' ');
      if (index === 0 && photos.length > 1) {
        await client.enrollFace({ body: { name: label, file } });
      } else await store(client, file);
    }
  }
}

async function greatestClass(client: Client): Promise<string | undefined> {
  const query = { type: 'object', sort: 'detections', limit: 1 } as const;
  return ok(await client.listIdentitySummaries({ query })).items[0]?.label;
}
