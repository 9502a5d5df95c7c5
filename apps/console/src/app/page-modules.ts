/** The first part of the addresses of all pages. */
export const BASE = '/console';

/** The modules that are no part of the first script: all pages but the sign-in, by the paths of their routes. */
export const PAGE_MODULES = {
  '/': () => import('../pages/start/start-page.tsx'),
  '/sign-out': () => import('../pages/sign-out/sign-out-page.tsx'),
  '/invitation': () => import('../pages/invitation/invitation-page.tsx'),
  '/password': () => import('../pages/password/password-page.tsx'),
  '/$environment': () => import('./environment-layout.tsx'),
  '/$environment/overview': () => import('../pages/overview/overview-page.tsx'),
  '/$environment/images': () => import('../pages/images/images-page.tsx'),
  '/$environment/people': () => import('../pages/people/people-page.tsx'),
  '/$environment/people/$person': () => import('../pages/person/person-page.tsx'),
  '/$environment/review': () => import('../pages/review/review-page.tsx'),
  '/$environment/unknown': () => import('../pages/unknown/unknown-page.tsx'),
  '/$environment/upload': () => import('../pages/upload/upload-page.tsx'),
  '/$environment/try': () => import('../pages/try/try-page.tsx'),
  '/$environment/account': () => import('../pages/account/account-page.tsx'),
  '/$environment/images/$image': () => import('../pages/image/image-page.tsx'),
  '/$environment/jobs': () => import('../pages/jobs/jobs-page.tsx'),
  '/$environment/jobs/$job': () => import('../pages/jobs/job-page.tsx'),
  '/$environment/changes': () => import('../pages/changes/changes-page.tsx'),
  '/$environment/objects': () => import('../pages/objects/objects-page.tsx'),
  '/$environment/objects/$class': () => import('../pages/objects/class-page.tsx'),
  '/$environment/webhooks': () => import('../pages/webhooks/webhooks-page.tsx'),
  '/$environment/webhooks/$webhook': () => import('../pages/webhook/webhook-page.tsx'),
  '/$environment/models': () => import('../pages/models/models-page.tsx'),
  '/$environment/settings': () => import('../pages/settings/settings-page.tsx'),
  '/$environment/users': () => import('../pages/users/users-page.tsx'),
  '/$environment/audit': () => import('../pages/audit/audit-page.tsx'),
  '/$environment/environments': () => import('../pages/environments/environments-page.tsx'),
  '/$environment/system': () => import('../pages/system/system-page.tsx'),
} as const;
