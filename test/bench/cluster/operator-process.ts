import type { KubeConnection } from '@sightline/kube/kube-connection';
import { openOperatorProcess } from '@sightline/operator/open-operator-process';
import { runProcess } from '@sightline/platform/process/run-process';

/** The operator of operator/main.ts, connected as in a pod. A kubeconfig would cost memory that no pod needs. */
const connection = JSON.parse(process.env.CONNECTION!) as Omit<KubeConnection, 'token'>;
await runProcess({
  about: 'the operator, measured',
  version: '0',
  variables: ['operator'],
  readiness: 'operator',
  open: (context) =>
    openOperatorProcess(context, () =>
      Promise.resolve({
        connection: { ...connection, token: () => Promise.resolve(null) },
        namespace: 'sightline',
        owner: null,
      }),
    ),
});
