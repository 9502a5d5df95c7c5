import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { Loading } from '../frame/page-state.tsx';
import { preloadPeople } from '../pages/people/people-list.ts';
import { parsePeopleSearch } from '../pages/people/people-search.ts';
import { parsePersonSearch } from '../pages/person/person-search.ts';
import { parseReviewSearch } from '../pages/review/review-search.ts';
import { parseUnknownSearch } from '../pages/unknown/unknown-search.ts';
import { parseAuditSearch } from '../pages/audit/audit-search.ts';
import { parseEnvironmentsSearch } from '../pages/environments/environments-search.ts';
import { parseImageSearch } from '../pages/image/image-search.ts';
import { preloadImages } from '../pages/images/image-list.ts';
import { parseImagesSearch } from '../pages/images/images-search.ts';
import { parseChangesSearch } from '../pages/changes/changes-search.ts';
import { parseJobSearch, parseJobsSearch } from '../pages/jobs/jobs-search.ts';
import { parseObjectsSearch } from '../pages/objects/objects-search.ts';
import { parseOverviewSearch } from '../pages/overview/overview-search.ts';
import { parseTrySearch } from '../pages/try/try-search.ts';
import { parseModelsSearch } from '../pages/models/models-search.ts';
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx';
import { parseSettingsSearch } from '../pages/settings/settings-search.ts';
import { parseUploadSearch } from '../pages/upload/upload-search.ts';
import { parseUsersSearch } from '../pages/users/users-search.ts';
import { parseWebhookSearch } from '../pages/webhook/webhook-search.ts';
import { FailedPage, MissingPage } from './other-pages.tsx';
import { Root } from './root.tsx';
import { BASE, PAGE_MODULES } from './page-modules.ts';
import type { Services } from './services.ts';
import { requireSession } from './signed-in.ts';

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
  if (typeof next !== 'string' || !URL.canParse(next, location.origin)) return { next: undefined };
  const { origin, pathname, search, hash } = new URL(next, location.origin);
  const isPage = origin === location.origin && pathname.startsWith(`${BASE}/`);
  const isSignIn = pathname.startsWith(`${BASE}/sign-`);
  return { next: isPage && !isSignIn ? pathname + search + hash : undefined };
}

/** A code of the service. Links of other pages may contain any sentence. */
const CODE = /^[a-z_]{1,40}$/;

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (
    search: Record<string, unknown>,
  ): Destination & { readonly error?: string | undefined } => ({
    ...destinationOf(search),
    error: typeof search.error === 'string' && CODE.test(search.error) ? search.error : undefined,
  }),
  component: SignInPage,
});

const signOutRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-out',
  component: lazyRouteComponent(PAGE_MODULES['/sign-out'], 'SignOutPage'),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyRouteComponent(PAGE_MODULES['/invitation'], 'InvitationPage'),
});

const passwordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/password',
  validateSearch: destinationOf,
  component: lazyRouteComponent(PAGE_MODULES['/password'], 'PasswordPage'),
});

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context, location }) => {
    const session = await requireSession(context, location.publicHref);
    if (session.environment_id === null) return;
    const params = { environment: String(session.environment_id) };
    // oxlint-disable-next-line typescript/only-throw-error -- the router takes a thrown redirect
    throw redirect({ to: '/$environment/overview', params });
  },
  component: lazyRouteComponent(PAGE_MODULES['/'], 'StartPage'),
});

const environmentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/$environment',
  beforeLoad: async ({ context, location }) => {
    await requireSession(context, location.publicHref);
  },
  component: lazyRouteComponent(PAGE_MODULES['/$environment'], 'EnvironmentLayout'),
});

const environmentIndexRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    // oxlint-disable-next-line typescript/only-throw-error -- the router takes a thrown redirect
    throw redirect({ to: '/$environment/overview', params, replace: true });
  },
});

const overviewRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/overview',
  validateSearch: parseOverviewSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/overview'], 'OverviewPage'),
});

const imagesRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/images',
  validateSearch: parseImagesSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    preloadImages(context.queryClient, context.apiOf(params.environment), deps),
  component: lazyRouteComponent(PAGE_MODULES['/$environment/images'], 'ImagesPage'),
});

const peopleRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/people',
  validateSearch: parsePeopleSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) =>
    preloadPeople(context.queryClient, context.apiOf(params.environment), deps),
  component: lazyRouteComponent(PAGE_MODULES['/$environment/people'], 'PeoplePage'),
});

const personRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/people/$person',
  validateSearch: parsePersonSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/people/$person'], 'PersonPage'),
});

const reviewRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/review',
  validateSearch: parseReviewSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/review'], 'ReviewPage'),
});

const unknownRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/unknown',
  validateSearch: parseUnknownSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/unknown'], 'UnknownPage'),
});

const uploadRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/upload',
  validateSearch: parseUploadSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/upload'], 'UploadPage'),
});

const tryRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/try',
  validateSearch: parseTrySearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/try'], 'TryPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/account',
  component: lazyRouteComponent(PAGE_MODULES['/$environment/account'], 'AccountPage'),
});

const imageRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/images/$image',
  validateSearch: parseImageSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/images/$image'], 'ImagePage'),
});

const jobsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/jobs',
  validateSearch: parseJobsSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/jobs'], 'JobsPage'),
});

const jobRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/jobs/$job',
  validateSearch: parseJobSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/jobs/$job'], 'JobPage'),
});

const changesRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/changes',
  validateSearch: parseChangesSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/changes'], 'ChangesPage'),
});

const objectsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/objects',
  validateSearch: parseObjectsSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/objects'], 'ObjectsPage'),
});

const classRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/objects/$class',
  component: lazyRouteComponent(PAGE_MODULES['/$environment/objects/$class'], 'ClassPage'),
});

const webhooksRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/webhooks',
  component: lazyRouteComponent(PAGE_MODULES['/$environment/webhooks'], 'WebhooksPage'),
});

const webhookRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/webhooks/$webhook',
  validateSearch: parseWebhookSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/webhooks/$webhook'], 'WebhookPage'),
});

const modelsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/models',
  validateSearch: parseModelsSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/models'], 'ModelsPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/settings',
  validateSearch: parseSettingsSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/settings'], 'SettingsPage'),
});

const usersRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/users',
  validateSearch: parseUsersSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/users'], 'UsersPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/audit',
  validateSearch: parseAuditSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/audit'], 'AuditPage'),
});

const environmentsRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/environments',
  validateSearch: parseEnvironmentsSearch,
  component: lazyRouteComponent(PAGE_MODULES['/$environment/environments'], 'EnvironmentsPage'),
});

const systemRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: '/system',
  component: lazyRouteComponent(PAGE_MODULES['/$environment/system'], 'SystemPage'),
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  signOutRoute,
  invitationRoute,
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
