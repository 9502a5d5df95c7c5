import { downloadModelContract } from '@sightline/contracts/models/download-model-contract';
import { startDownload } from '@sightline/core/administration/start-download';
import { answerWithJob } from '../../http/answer-with-job.ts';
import { defineRoute } from '../../http/define-route.ts';

export const downloadModelRoute = defineRoute(downloadModelContract, {
  async handler(context, request) {
    const { path, scope, signal } = request;
    const settle = request.settle(answerWithJob);
    const download = { scope, modelId: path.id };
    return answerWithJob(await startDownload(context, download, { signal, settle }));
  },
});
