import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildConsole } from '@sightline/console/build/build-console';
import type { BrowserContextOptions } from 'playwright-core';
import { launchChromium } from '../../console/support/chromium.ts';
import { signIn } from '../../console/support/curator.ts';
import { visitPage } from '../../console/support/visit-page.ts';
import { WatchedBrowser } from '../../console/support/watched-browser.ts';
import { signedIn } from '../../support/services/signed-in.ts';
import { ok } from '../../support/services/ok.ts';
import type { RunningStandalone } from '../../support/services/running-standalone.ts';
import { untilHealthSays } from '../../support/services/until-health-says.ts';
import { type Bench, type Measured, repeat } from '../bench.ts';
import { grouped, spreadCell } from '../cells.ts';
import { startPlanted } from '../library/planted-folder.ts';
import { markdownTable } from '../markdown-table.ts';
import { percentile, timed } from '../statistics.ts';
import { openBenchPage } from './bench-page.ts';
import { decide } from './measure-deciding.ts';
import { timeFollowing } from './measure-following.ts';
import { FIRST_FACES, timeFirstFaces, timeSignIn } from './measure-loading.ts';
import {
  scroll,
  scrollAbout,
  scrolledHeight,
  type Scrolling,
  showBlank,
  usedHeap,
} from './measure-scrolling.ts';
import { consoleSize, plantConsole } from './plant-console.ts';
import { drawPictures, plantMedia } from './plant-media.ts';

const BUILD = resolve(import.meta.dirname, '../../../apps/console/build/main.ts');
/** When the heap of a page that is scrolled is read first, in seconds. */
const EARLY = 10;

interface Home {
  readonly service: RunningStandalone;
  readonly browser: WatchedBrowser;
  /** The first part of the addresses of all pages. */
  readonly base: string;
  readonly storageState: NonNullable<BrowserContextOptions['storageState']>;
}

/** Measures the console in Chromium, on a service with many people and images. */
export async function measureConsole(bench: Bench): Promise<Measured> {
  const builds = await timeBuilds();
  const pictures = await drawPictures();
  await using service = await startPlanted({
    name: 'bench-console',
    scale: bench.scale,
    files: [
      join(import.meta.dirname, 'plant-console.ts'),
      join(import.meta.dirname, 'plant-media.ts'),
    ],
    plant: async (client, { scale, modelId, data }) => {
      await plantConsole(client, { scale, modelId, digests: [...pictures.keys()] });
      await plantMedia(client, { folder: join(data, 'media'), pictures });
    },
    settings: { SIGHTLINE_CONSOLE_DIR: await buildConsole() },
  });
  await untilHealthSays(service, 'ok');
  await using browser = new WatchedBrowser(await launchChromium(), service.url);
  const home = await openHome(service, browser);
  console.error('... loading');
  const loading = await repeat(bench.rounds, async () => ({
    signIn: await timeSignIn(browser),
    faces: await timeFirstFaces(browser, { ...home, path: `${home.base}/people` }),
  }));
  console.error('... scrolling');
  const scrolling = [
    await measureList(home, 'people', bench),
    await measureList(home, 'images', bench),
  ];
  console.error('... deciding');
  const decisions = await measureDecisions(home);
  const seconds = (values: readonly number[]) =>
    `${spreadCell(values.map((value) => value / 1000))} s`;
  const rows = [
    ['first paint of the sign-in', '1.0 s', seconds(loading.map((each) => each.signIn))],
    [`first ${FIRST_FACES} faces of People`, '2.0 s', seconds(loading.map((each) => each.faces))],
    ...scrolling.flatMap(rowsOf),
    ['key to the next face in Review, p95', '50 ms', `${p95(decisions.times)} ms`],
    ['decisions that were lost, of 200 at 5 a second', '0', String(decisions.lost)],
    [
      'change in one browser to the count in another, p95',
      '1.5 s',
      `${p95(decisions.followed)} ms`,
    ],
    ['build, first', '', seconds([builds.first])],
    ['build of the same sources again', '', seconds([builds.second])],
  ];
  const size = consoleSize(bench.scale);
  const text = `## The console

Chromium and the service, with its database, share the cores of one machine. The environment has ${grouped(size.people)} people
with a face each and ${grouped(size.images)} images. The first two rows are measured with a processor slowed four times,
10 Mbit/s and 40 ms, and nothing in the browser's cache. Lists scroll at 3,000 px/s; frames are shares of those of a blank
page of the same height in the same round. Medians of ${bench.rounds} rounds, with the least and the greatest value.
${bench.madeBy}

${markdownTable(['measure', 'aim', 'here'], rows)}`;
  return { text };
}

function p95(times: readonly number[]): string {
  return percentile(times, 0.95).toFixed(0);
}

/** Times the build of the console when there is none, and when nothing has changed. */
async function timeBuilds(): Promise<{ readonly first: number; readonly second: number }> {
  await rm(await buildConsole(), { recursive: true, force: true });
  const build = () => promisify(execFile)(process.execPath, [BUILD]);
  return { first: await timed(build), second: await timed(build) };
}

async function openHome(service: RunningStandalone, browser: WatchedBrowser): Promise<Home> {
  const email = 'admin@localhost';
  const made = (await readFile(join(service.data, 'admin-password'), 'utf8')).trim();
  const password = 'long enough for a bench';
  const newcomer = await signedIn(service, { email, password: made });
  ok(
    await newcomer.client.changePassword({
      body: { current_password: made, new_password: password },
    }),
  );
  const { client } = await signedIn(service, { email, password });
  const { items } = ok(await client.listEnvironments());
  const page = await browser.openPage();
  await page.goto('/console/sign-in');
  await signIn(page, { email, password });
  const storageState = await page.context().storageState();
  await page.context().close();
  return { service, browser, base: `/console/${items[0]!.id}`, storageState };
}

interface ListFigures {
  readonly list: string;
  /** Frames as shares of those of the blank page. */
  readonly frames: readonly number[];
  readonly inTime: readonly number[];
  /** The heap at the end as a share of the early one. */
  readonly heap: number;
  readonly seconds: number;
}

async function measureList(
  { browser, storageState, base }: Home,
  list: string,
  { rounds, seconds, scrolling }: Bench,
): Promise<ListFigures> {
  await using shown = await openBenchPage(browser, { storageState });
  await using blank = await openBenchPage(browser);
  await visitPage(shown.page, `${base}/${list}`);
  await showBlank(blank, await scrolledHeight(shown));
  const measured = await repeat(rounds, async (): Promise<[Scrolling, Scrolling]> => {
    await blank.page.bringToFront();
    const none = await scroll(blank, seconds);
    await shown.page.bringToFront();
    return [await scroll(shown, seconds), none];
  });
  await scrollAbout(shown, EARLY);
  const early = await usedHeap(shown);
  await scrollAbout(shown, scrolling - EARLY);
  return {
    list,
    frames: measured.map(([each, none]) => each.frames / none.frames),
    inTime: measured.map(([each]) => each.inTime),
    heap: (await usedHeap(shown)) / early,
    seconds: scrolling,
  };
}

function rowsOf({ list, frames, inTime, heap, seconds }: ListFigures): readonly string[][] {
  const title = list === 'people' ? 'People' : 'Images';
  return [
    [`frames while ${title} scrolls / a blank page`, 'at least 0.95', spreadCell(frames)],
    [`share of its frames within two refreshes`, 'at least 0.95', spreadCell(inTime)],
    [`its heap after ${seconds} s / after ${EARLY} s`, 'at most 1.2', heap.toFixed(2)],
  ];
}

async function measureDecisions({ service, browser, storageState, base }: Home) {
  await using decider = await openBenchPage(browser, { storageState });
  await using other = await openBenchPage(browser, { storageState });
  await visitPage(decider.page, `${base}/review`);
  await visitPage(other.page, `${base}/overview`);
  const followed = await timeFollowing(decider.page, other.page);
  const { times, lost } = await decide(decider.page, service.client);
  return { followed, times, lost };
}
