import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeWithShared } from '../support/gates/describe-with-shared.ts';
import { photo } from '../support/fixtures/photo.ts';
import { ANSWERS, writePublishedPack } from '../support/fixtures/published-insightface.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { ok } from '../support/services/ok.ts';
import { startStandalone } from '../support/services/running-standalone.ts';

describeWithShared('a pack of insightface, unpacked as it is published', () => {
  test('names what it provides, and estimates age, gender and pose', async () => {
    await using models = await temporaryFolder();
    await writePublishedPack(join(models.path, 'antelopev2', 'antelopev2'));
    await using service = await startStandalone({ SIGHTLINE_MODELS_DIR: models.path });
    const { client } = service;
    const [model] = ok(await client.getCapabilities()).models;
    expect(model).toMatchObject({ name: 'antelopev2', task: 'face', embedding_dim: 512 });
    expect(model!.provides.toSorted()).toEqual(['age', 'gender', 'landmarks', 'pose']);
    const file = await photo('people/000_5.jpg');
    const { faces } = ok(await client.testImage({ body: { file, type: 'faces' } }));
    expect(faces).toHaveLength(5);
    for (const { age, gender, pose } of faces) {
      expect({ age, gender }).toEqual({ age: ANSWERS.age, gender: ANSWERS.gender });
      expect(pose).toEqual(ANSWERS.pose.map((degrees) => expect.closeTo(degrees, 3)));
    }
  });
});
