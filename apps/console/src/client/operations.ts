import type { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import type { ClientAnswer, ClientInput } from '@sightline/contracts/client';

type Contracts = typeof API_CONTRACTS;

/** The id of an endpoint, such as `listImages`. */
export type Operation = keyof Contracts;

export type OperationInput<O extends Operation> = ClientInput<Contracts[O]['request']>;

/** The answer of an endpoint without problem documents. */
export type OperationAnswer<O extends Operation> = Extract<
  ClientAnswer<Contracts[O]>,
  { readonly problem: null }
>;

export type OperationBody<O extends Operation> = OperationAnswer<O>['body'];

/** The operations that a retry with the same `Idempotency-Key` does not carry out twice. */
export type IdempotentOperation = {
  [O in Operation]: Contracts[O] extends { readonly idempotent: true } ? O : never;
}[Operation];

/** The operations whose input may be left out. */
type Optional<O extends Operation> =
  Partial<OperationInput<O>> extends OperationInput<O> ? O : never;

export type OperationArguments<O extends Operation> = [O] extends [Optional<O>]
  ? [input?: OperationInput<O>]
  : [input: OperationInput<O>];

/** The arguments of a sending. Idempotent operations demand a key, which `useSend` gives. */
export type SendArguments<O extends Operation> = O extends IdempotentOperation
  ? [input: OperationInput<O> & { readonly headers: { readonly 'Idempotency-Key': string } }]
  : OperationArguments<O>;
