import { defineMessages } from '../../messages/define-messages.ts';

export const SIGN_IN_MESSAGES = defineMessages({
  en: {
    title: 'Sign in to Sightline',
    oidc: 'Sign in with your organization',
    refused: (code: string) => `Signing in with your organization failed (${code}).`,
  },
  de: {
    title: 'Bei Sightline anmelden',
    oidc: 'Über Ihre Organisation anmelden',
    refused: (code: string) => `Die Anmeldung über Ihre Organisation ist fehlgeschlagen (${code}).`,
  },
});
