import { downloadModelContract } from '@sightline/contracts/models/download-model-contract';
import { startDownload } from '@sightline/core/administration/start-download';
import { answerWithJob } from '../../http/answer-with-job.ts';
import { defineRoute } from '../../http/define-route.ts';

export const downloadModelRoute = defineRoute(downloadModelContract, {
  async handler(context, request) {
    const { path, query, scope, signal } = request;
    const settle = request.settle(answerWithJob);
    const acceptsLicense = query.accept_license === true;
    const download = { scope, modelId: path.id, acceptsLicense };
    return answerWithJob(await startDownload(context, download, { signal, settle }));
  },
});
