import { startStandalone } from '../../support/services/running-standalone.ts';
import type { Bench, Measured } from '../bench.ts';
import { markdownTable } from '../markdown-table.ts';
import type { Subject } from '../subjects.ts';
import { type Album, openAlbum, type Requests } from './album.ts';
import { type Decisions, NamingCurator } from './curator.ts';

/** The faces of a page of the queue when they are named one by one: the default of the API. */
const PAGE = 50;

interface Named {
  readonly requests: Requests;
  readonly decisions: Decisions;
  readonly photos: number;
}

/** Counts what a curator does to name all people of the LFW photos, in groups and one by one, over HTTP. */
export async function measureNaming({ subjects, madeBy, workers }: Bench): Promise<Measured> {
  const rows: string[][] = [];
  for (const subject of await subjects()) {
    if (subject.models.face === null) continue;
    await using service = await startStandalone({
      ...subject.settings,
      SIGHTLINE_PROVIDER: 'cpu',
      SIGHTLINE_WORKERS: String(workers),
    });
    const inGroups = await name(await openAlbum(service, 'in-groups'), async (curator) => {
      await curator.nameGroups();
      await curator.confirmGroups();
      await curator.nameEach(PAGE);
    });
    const each = await name(await openAlbum(service, 'one-by-one'), (curator) =>
      curator.nameEach(PAGE),
    );
    rows.push(rowOf(subject, 'in groups', inGroups), rowOf(subject, 'one by one', each));
  }
  const columns = ['faces', 'decisions', 'names', 'confirmed', 'taken out', 'requests', 'lists'];
  const text = `Decisions and requests with the default settings. ${madeBy}

${markdownTable(['face model', '', ...columns], rows)}`;
  return { text };
}

async function name(album: Album, work: (curator: NamingCurator) => Promise<void>): Promise<Named> {
  const curator = new NamingCurator(album);
  await work(curator);
  await album.expectNamed();
  const { requests, people } = album;
  return { requests, decisions: curator.decisions, photos: people.size };
}

function rowOf({ models }: Subject, way: string, { requests, decisions, photos }: Named): string[] {
  const { names, confirmations, takenOut } = decisions;
  const counts = [
    photos,
    names + confirmations + takenOut,
    names,
    confirmations,
    takenOut,
    requests.reads + requests.writes,
    requests.reads,
  ];
  return [models.face!.manifest.name, way, ...counts.map(String)];
}
