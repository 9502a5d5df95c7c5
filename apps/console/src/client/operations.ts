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

/** The operations whose input may be left out. */
type Optional<O extends Operation> =
  Partial<OperationInput<O>> extends OperationInput<O> ? O : never;

export type OperationArguments<O extends Operation> = [O] extends [Optional<O>]
  ? [input?: OperationInput<O>]
  : [input: OperationInput<O>];
