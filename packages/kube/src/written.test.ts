import { expect, test } from '@jest/globals';
import { FakeClock } from '@sightline/platform/resilience/testing/fake-clock';
import type { KubeObject } from './kube-object.ts';
import { Written } from './written.ts';

const CONFIG_MAPS = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' };

test('the written object is the newest until a watch delivers a newer version', async () => {
  const clock = new FakeClock();
  const written = new Written(clock);
  const at = (resourceVersion: string): KubeObject => {
    const metadata = { name: 'a', namespace: 'ns', uid: 'a', resourceVersion };
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
  };
  written.remember(CONFIG_MAPS, at('10'));
  const newest = (observed?: KubeObject) =>
    written.newest(CONFIG_MAPS, 'ns/a', observed)?.metadata.resourceVersion;
  expect([newest(), newest(at('9')), newest(at('10'))]).toEqual(['10', '10', '10']);
  expect(newest()).toBeUndefined();
  written.remember(CONFIG_MAPS, at('11'));
  // The watch reports with a delay that the previous object with the same name was deleted.
  const previous = at('10');
  written.forget(CONFIG_MAPS, { ...previous, metadata: { ...previous.metadata, uid: 'previous' } });
  expect(newest()).toBe('11');
  written.forget(CONFIG_MAPS, at('11'));
  expect(newest()).toBeUndefined();
  written.remember(CONFIG_MAPS, at('12'));
  await clock.pass(10_000);
  // The record has expired: the object was deleted before the watch delivered its creation.
  expect(newest()).toBeUndefined();
});
