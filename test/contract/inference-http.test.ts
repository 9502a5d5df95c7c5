import { expect, test } from '@jest/globals';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { HttpImageAnalyzer } from '@sightline/analysis/http/http-image-analyzer';
import { LocalImageAnalyzer } from '@sightline/analysis/local/local-image-analyzer';
import { describeWithShared } from '../support/gates/describe-with-shared.ts';
import { type AnalyzerSetup, BOTH, FACES, OBJECTS, photo, SMALL } from './analyzer-setup.ts';
import { describeImageAnalyzerContract } from './image-analyzer.contract.ts';
import { type HostPacks, openHostEngine, type OpenHosts } from './hosts-setup.ts';
import { openInferenceServer, serveEngine } from './inference-server.ts';
import { describeModelHostsContract } from './model-hosts.contract.ts';

async function open(setup: AnalyzerSetup) {
  await using opening = new AsyncDisposableStack();
  const { url } = opening.use(await openInferenceServer(setup));
  const analyzer = opening.use(new HttpImageAnalyzer({ urls: [url] }));
  const opened = opening.move();
  return { analyzer, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

describeWithShared('the HTTP adapter', () => {
  describeImageAnalyzerContract('inference-http', open);

  test('answers what the local adapter answers, to the last bit', async () => {
    await using server = await openInferenceServer(BOTH);
    await using remote = new HttpImageAnalyzer({ urls: [server.url] });
    const local = new LocalImageAnalyzer(server.engine);
    const renditions = {
      source: { maxSize: 640, quality: 85 },
      crops: { padding: 0.2, quality: 75 },
    };
    for (const path of [SMALL, 'people/016_8.jpg', 'objects/bus.jpg']) {
      const first = await local.analyze({
        image: await photo(path),
        faces: FACES,
        objects: OBJECTS,
        renditions,
      });
      const faceRegions = [{ bbox: { x: 10.5, y: 20.25, w: 80, h: 90 }, landmarks: null }];
      const asked = { faces: FACES, objects: OBJECTS, renditions, faceRegions };
      const [here, there] = [
        await local.analyze({ ...asked, image: await photo(path) }),
        await remote.analyze({ ...asked, image: await photo(path) }),
      ];
      expect(here.faces).toEqual(first.faces);
      expect(plain(there)).toEqual(plain(here));
      expect(there.source!.jpeg.length).toBeGreaterThan(1000);
    }
  });
});

/**
 * Replaces all views of bytes, such as Buffer and Float32Array, by base64 texts, so that equal bytes in different
 * views compare as equal.
 */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, member: unknown) =>
      ArrayBuffer.isView(member)
        ? Buffer.from(member.buffer, member.byteOffset, member.byteLength).toString('base64')
        : member,
    ),
  );
}

async function openHosts(packs: HostPacks): Promise<OpenHosts> {
  await using opening = new AsyncDisposableStack();
  const { url } = opening.use(await serveEngine(await openHostEngine(packs), DEFAULT_IMAGE_LIMITS));
  const analyzer = opening.use(new HttpImageAnalyzer({ urls: [url] }));
  const opened = opening.move();
  return { hosts: analyzer, analyzer, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

describeModelHostsContract('inference-http', openHosts);
