/** The one who acts: the sender of a request, an operator with a shell, or the service itself. */
export type Actor =
  | {
      readonly kind: 'request';
      /** The account that is signed in; null for a key, and for a visitor. */
      readonly accountId: string | null;
      /** Null for a session. */
      readonly keyId: number | null;
      readonly requestId: string;
    }
  | { readonly kind: 'command' | 'service' };

export const COMMAND: Actor = { kind: 'command' };
export const SERVICE: Actor = { kind: 'service' };

/** The actor of a request of an account that is signed in. */
export function actorOf({
  accountId,
  requestId,
}: {
  readonly accountId: string | null;
  readonly requestId: string;
}): Actor {
  return { kind: 'request', accountId, keyId: null, requestId };
}
