import { checkConsistency } from '@sightline/core/maintenance/check-consistency';
import { openComparison } from '@sightline/composition/vectors/open-comparison';
import { checkSimilarity } from '@sightline/core/similarity/check-similarity';
import type { DueSpace } from '@sightline/core/similarity/similarity-queue';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command } from '../command.ts';
import { openInstallation } from '../open-installation.ts';

export const check: Command = {
  options: {
    deep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
  operands: [],
  async run(input) {
    const { options, print, note, signal } = input;
    await using installation = await openInstallation(input);
    const { maintenance, eraser } = installation;
    using media = await installation.openMedia();
    const deep = options.deep === true;
    const findings = [
      ...(await checkConsistency({ maintenance, eraser, media }, { deep, signal })),
    ];
    const notCompared: DueSpace[] = [];
    if (deep) {
      // Qdrant chooses candidates by quantized vectors, so it may miss a reference.
      const isExact = input.stores().qdrant === null;
      await using comparison = openComparison();
      const similarity = await checkSimilarity(
        {
          ...comparison,
          database: installation.database,
          source: installation.openFaces,
          indexSource: installation.indexSource,
          queue: installation.similarityQueue,
        },
        { isExact, signal },
      );
      for (const finding of similarity.findings) findings.push(finding);
      notCompared.push(...similarity.skipped);
    }
    if (options.json === true) {
      print(JSON.stringify({ findings, not_compared: notCompared.map(toJson) }));
      return;
    }
    for (const { environmentId } of notCompared) {
      note(
        `The similarity of faces in environment ${environmentId} is not compared, because it is being followed.`,
      );
    }
    for (const finding of findings) print(finding);
    if (findings.length > 0) throw new StartError(`${findings.length} findings.`);
    note(deep ? 'Rows, files and similarity agree.' : 'Rows and files agree.');
  },
};

function toJson({ environmentId, modelId }: DueSpace) {
  return { environment_id: environmentId, model_id: modelId };
}
