import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { Loading } from '../frame/page-state.tsx';
import { parsePeopleSearch } from '../pages/people/people-search.ts';
import { parsePersonSearch } from '../pages/person/person-search.ts';
import { parseReviewSearch } from '../pages/review/review-search.ts';
import { parseUnknownSearch } from '../pages/unknown/unknown-search.ts';
import { EnvironmentLayout } from './environment-layout.tsx';
import { parseAuditSearch } from '../pages/audit/audit-search.ts';
import { parseEnvironmentsSearch } from '../pages/environments/environments-search.ts';
import { parseImageSearch } from '../pages/image/image-search.ts';
import { parseImagesSearch } from '../pages/images/images-search.ts';
import { parseChangesSearch } from '../pages/changes/changes-search.ts';
import { parseJobSearch, parseJobsSearch } from '../pages/jobs/jobs-search.ts';
import { parseObjectsSearch } from '../pages/objects/objects-search.ts';
import { parseOverviewSearch } from '../pages/overview/overview-search.ts';
import { parseTrySearch } from '../pages/try/try-search.ts';
import { parseModelsSearch } from '../pages/models/models-search.ts';
import { parseSettingsSearch } from '../pages/settings/settings-search.ts';
import { parseUploadSearch } from '../pages/upload/upload-search.ts';
import { parseUsersSearch } from '../pages/users/users-search.ts';
import { parseWebhookSearch } from '../pages/webhook/webhook-search.ts';
import { FailedPage, MissingPage, NoEnvironmentPage } from './other-pages.tsx';
import { Root } from './root.tsx';
import type { Services } from './services.ts';
import { requireSession } from './signed-in.ts';

const BASE = '/console';

const rootRoute = createRootRouteWithContext<Services>()({
  component: Root,
  notFoundComponent: MissingPage,
});

interface Destination {
  /** The address to which a sign-in leads back. */
  readonly next?: string | undefined;
}

/**
 * Only an address of the console is accepted, because links of other pages may contain any. The member is present
 * without a value, because the router keeps parameters that are absent here.
 */
function destinationOf({ next }: Record<string, unknown>): Destination {
  return { next: typeof next === 'string' && next.startsWith(`${BASE}/`) ? next : undefined };
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): Destination & { readonly error?: string } => ({
    ...destinationOf(search),
    ...(typeof search.error === 'string' && { error: search.error }),
  }),
  component: lazyRouteComponent(() => import('../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const signOutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-out',
  component: lazyRouteComponent(() => import('../pages/sign-out/sign-out-page.tsx'), 'SignOutPage'),
});

const passwordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/password',
  validateSearch: destinationOf,
  component: lazyRouteComponent(
    () => import('../pages/password/password-page.tsx'),
    'PasswordPage',
  ),
});

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context, location }) => {
    const session = await requireSession(context, location.publicHref);
    if (session.environment_id === null) return;
    const params = { environment: String(session.environment_id) };
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router takes a thrown redirect
    throw redirect({ to: '/$environment/overview', params });
  },
  component: NoEnvironmentPage,
});

const environmentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$environment',
  beforeLoad: async ({ context, location }) => {
    await requireSession(context, location.publicHref);
  },
  component: EnvironmentLayout,
});

const environmentIndexRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router takes a thrown redirect
    throw redirect({ to: '/$environment/overview', params, replace: true });
  },
});

const overviewRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/overview',
  validateSearch: parseOverviewSearch,
  component: lazyRouteComponent(
    () => import('../pages/overview/overview-page.tsx'),
    'OverviewPage',
  ),
});

const imagesRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/images',
  validateSearch: parseImagesSearch,
  component: lazyRouteComponent(() => import('../pages/images/images-page.tsx'), 'ImagesPage'),
});

const peopleRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/people',
  validateSearch: parsePeopleSearch,
  component: lazyRouteComponent(() => import('../pages/people/people-page.tsx'), 'PeoplePage'),
});

const personRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/people/$person',
  validateSearch: parsePersonSearch,
  component: lazyRouteComponent(() => import('../pages/person/person-page.tsx'), 'PersonPage'),
});

const reviewRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/review',
  validateSearch: parseReviewSearch,
  component: lazyRouteComponent(() => import('../pages/review/review-page.tsx'), 'ReviewPage'),
});

const unknownRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/unknown',
  validateSearch: parseUnknownSearch,
  component: lazyRouteComponent(() => import('../pages/unknown/unknown-page.tsx'), 'UnknownPage'),
});

const uploadRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/upload',
  validateSearch: parseUploadSearch,
  component: lazyRouteComponent(() => import('../pages/upload/upload-page.tsx'), 'UploadPage'),
});

const tryRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/try',
  validateSearch: parseTrySearch,
  component: lazyRouteComponent(() => import('../pages/try/try-page.tsx'), 'TryPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
});

const imageRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/images/$image',
  validateSearch: parseImageSearch,
  component: lazyRouteComponent(() => import('../pages/image/image-page.tsx'), 'ImagePage'),
});

const jobsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/jobs',
  validateSearch: parseJobsSearch,
  component: lazyRouteComponent(() => import('../pages/jobs/jobs-page.tsx'), 'JobsPage'),
});

const jobRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/jobs/$job',
  validateSearch: parseJobSearch,
  component: lazyRouteComponent(() => import('../pages/jobs/job-page.tsx'), 'JobPage'),
});

const changesRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/changes',
  validateSearch: parseChangesSearch,
  component: lazyRouteComponent(() => import('../pages/changes/changes-page.tsx'), 'ChangesPage'),
});

const objectsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/objects',
  validateSearch: parseObjectsSearch,
  component: lazyRouteComponent(() => import('../pages/objects/objects-page.tsx'), 'ObjectsPage'),
});

const classRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/objects/$class',
  component: lazyRouteComponent(() => import('../pages/objects/class-page.tsx'), 'ClassPage'),
});

const webhooksRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/webhooks',
  component: lazyRouteComponent(
    () => import('../pages/webhooks/webhooks-page.tsx'),
    'WebhooksPage',
  ),
});

const webhookRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/webhooks/$webhook',
  validateSearch: parseWebhookSearch,
  component: lazyRouteComponent(() => import('../pages/webhook/webhook-page.tsx'), 'WebhookPage'),
});

const modelsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/models',
  validateSearch: parseModelsSearch,
  component: lazyRouteComponent(() => import('../pages/models/models-page.tsx'), 'ModelsPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/settings',
  validateSearch: parseSettingsSearch,
  component: lazyRouteComponent(
    () => import('../pages/settings/settings-page.tsx'),
    'SettingsPage',
  ),
});

const usersRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/users',
  validateSearch: parseUsersSearch,
  component: lazyRouteComponent(() => import('../pages/users/users-page.tsx'), 'UsersPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
});

const environmentsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/environments',
  validateSearch: parseEnvironmentsSearch,
  component: lazyRouteComponent(
    () => import('../pages/environments/environments-page.tsx'),
    'EnvironmentsPage',
  ),
});

const systemRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/system',
  component: lazyRouteComponent(() => import('../pages/system/system-page.tsx'), 'SystemPage'),
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  signOutRoute,
  passwordRoute,
  indexRoute,
  environmentRoute.addChildren([
    environmentIndexRoute,
    overviewRoute,
    jobsRoute,
    jobRoute,
    changesRoute,
    objectsRoute,
    classRoute,
    imagesRoute,
    imageRoute,
    peopleRoute,
    personRoute,
    reviewRoute,
    unknownRoute,
    uploadRoute,
    tryRoute,
    accountRoute,
    webhooksRoute,
    webhookRoute,
    modelsRoute,
    settingsRoute,
    usersRoute,
    auditRoute,
    environmentsRoute,
    systemRoute,
  ]),
]);

export function createConsoleRouter(services: Services) {
  return createRouter({
    routeTree,
    basepath: BASE,
    context: services,
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: FailedPage,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether Back leads to the list from which the page was opened. */
    isFromList?: boolean;
  }

  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
