import type { AnalyzerStatus, NamedModels } from '@sightline/core/models/analyzer-status';
import type {
  AnalysisRequest,
  ImageAnalysis,
  ImageAnalyzer,
} from '@sightline/core/analysis/image-analyzer';
import type { Lane } from '@sightline/core/analysis/lane';
import { laneOf, NO_TENANT, type Tenant } from '@sightline/core/analysis/tenant';
import { InferenceUnavailable, ModelNotHere } from '@sightline/core/models/model-errors';
import type { DesiredModels } from '@sightline/core/models/desired-models';
import type { ModelHosts } from '@sightline/core/models/model-hosts';
import { slotOf } from '@sightline/core/models/model-slot';
import { AddressList } from './address-list.ts';
import { joined, withoutUnusedModels, partsOf } from './request-parts.ts';
import {
  type AddressGuard,
  type Attempt,
  InferenceAddress,
  type Reply,
} from './inference-address.ts';
import { RecentRefusals } from './recent-refusals.ts';
import { ResolvedName, type ResolvedNameOptions } from './resolved-name.ts';
import { StatusCache } from './status-cache.ts';
import { WireVersionMismatch } from '@sightline/engine/wire/wire-errors';
import type { ReadValues } from '@sightline/platform/resilience/credential';
import { unavailable, Unanswered } from './unanswered.ts';

const TIMEOUT_MS = 30_000;
/**
 * The timeout of a background analysis in ms. It is longer than that of an interactive analysis, because a busy
 * process answers interactive requests first.
 */
const BACKGROUND_TIMEOUT_MS = 300_000;
/** The timeout of sending the desired models. It is short, because a process answers before it loads them. */
const HOLD_TIMEOUT_MS = 2_000;

/** The inference processes are at fixed addresses, or at all addresses to which the host name of a URL resolves. */
export type InferencePlace =
  | { readonly urls: readonly URL[] }
  | (Omit<ResolvedNameOptions, 'url' | 'onUrls'> & { readonly name: URL });

export type HttpImageAnalyzerOptions = InferencePlace & CallOptions;

interface CallOptions {
  /** The secret that the processes share with their clients; null or absent if they need none. */
  readonly key?: ReadValues | null;
  /** Called with the address of a process that refuses the key. */
  readonly onKeyRefused?: (url: string) => void;
  /** The timeout of a whole interactive analysis in ms; 30 s if absent. */
  readonly timeoutMs?: number;
  /** The versions of the wire format that this process speaks; if absent, those of its release. */
  readonly spoken?: readonly number[];
  /** Creates a guard that wraps each analysis at an address. An error of the guard is a failure of the address. */
  readonly guardOf?: (address: Pingable) => AddressGuard;
}

export interface Pingable {
  readonly url: string;
  /** Sends a small request on a separate connection. Throws any error of that request. */
  readonly ping: (signal: AbortSignal) => Promise<void>;
}

/**
 * How long a request for two models is sent as two separate requests, in ms, after no single address had both models.
 */
const APART_MS = 5_000;

/**
 * Analyzes images in remote inference processes. A request goes to the least busy address. A process handles
 * interactive requests before background work. An interactive request therefore goes to the address with the fewest
 * interactive requests; background work matters only between addresses with equally many.
 *
 * If an address is overloaded, fails, or lacks a model that the request names, the request goes to another address. A
 * failed address is avoided for a moment. Repeating a request is safe, because an analysis changes nothing. If no
 * address has all named models, faces and objects are requested separately, at the same time.
 */
export class HttpImageAnalyzer implements ImageAnalyzer, ModelHosts, AsyncDisposable {
  readonly #addresses: AddressList;
  readonly #name: ResolvedName | null;
  readonly #timeoutMs: number;
  readonly #statuses: StatusCache;
  readonly #refusals = new RecentRefusals();
  /** A counter that rotates the list of addresses, so that equally busy addresses get requests in turn. */
  #turn = 0;
  /** The two models that no single address had, and until when a request for them is sent as two requests. */
  #apart: { readonly models: NamedModels; readonly until: number } | null = null;

  constructor(options: HttpImageAnalyzerOptions) {
    const { timeoutMs = TIMEOUT_MS, guardOf, key = null, onKeyRefused, spoken } = options;
    const guard = (address: InferenceAddress): AddressGuard => {
      const ping = async (signal: AbortSignal) => {
        await address.status(signal).catch(answersInAnotherVersion);
      };
      return guardOf?.({ url: address.url, ping }) ?? UNGUARDED;
    };
    this.#addresses = new AddressList(
      (url) => new InferenceAddress(url, { guardOf: guard, key, onKeyRefused, spoken }),
    );
    this.#timeoutMs = timeoutMs;
    this.#statuses = new StatusCache(this.#addresses);
    if ('urls' in options) this.#addresses.set(options.urls);
    this.#name = 'name' in options ? this.#resolve(options) : null;
  }

  /** Counts the addresses. Waits for the first look-up if the addresses come from a host name. */
  async countAddresses(): Promise<number> {
    await this.#name?.first;
    return this.#addresses.current.length;
  }

  /**
   * Returns the combined status of all addresses, which is at most half a second old. It is ready if one address is
   * ready. Its `models` contain at most one model for faces and one for objects; its `report` contains the models of
   * all processes.
   *
   * @throws InferenceUnavailable if no address responds
   */
  async status(signal?: AbortSignal): Promise<AnalyzerStatus> {
    const answers = await this.statuses(signal);
    if (answers.length > 0) return merged(answers);
    throw unavailable(this.#statuses.lastError);
  }

  /** Returns the status of each address that responds, in the order of the addresses. */
  async statuses(signal?: AbortSignal): Promise<readonly AnalyzerStatus[]> {
    signal?.throwIfAborted();
    const answers = await this.#statuses.read();
    signal?.throwIfAborted();
    return answers;
  }

  /**
   * Whether a responding process has a GPU. A process of an older release does not report this, so it counts as
   * having a GPU if its models use one.
   */
  async gpuAvailable(signal?: AbortSignal): Promise<boolean> {
    const answers = await this.statuses(signal);
    return answers.some(({ hasGpu, provider }) => hasGpu ?? provider === 'cuda');
  }

  /** Sends the desired models to all addresses. An address that does not respond gets them at a later call. */
  async hold(desired: DesiredModels, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const limit = AbortSignal.any([signal, AbortSignal.timeout(HOLD_TIMEOUT_MS)]);
    const sent = this.#addresses.current.map((address) => address.hold(desired, limit));
    await Promise.allSettled(sent);
    signal.throwIfAborted();
    this.#statuses.forget();
  }

  /** @throws InferenceOverloaded if all addresses have just refused a request of this tenant */
  requireRoom(tenant: Tenant): void {
    this.#refusals.throwIfRefused(tenant);
  }

  async analyze(request: AnalysisRequest, signal?: AbortSignal): Promise<ImageAnalysis> {
    signal?.throwIfAborted();
    const lane = laneOf(request.tenant ?? NO_TENANT);
    const leftMs = lane === 'background' ? BACKGROUND_TIMEOUT_MS : this.#timeoutMs;
    const limit = new AbortController();
    const timer = setTimeout(() => {
      limit.abort(new InferenceUnavailable('Inference timed out.'));
    }, leftMs);
    const either = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
    try {
      return await this.#answer(withoutUnusedModels(request), { lane, leftMs, signal: either });
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#name?.[Symbol.dispose]();
    await this.#addresses[Symbol.asyncDispose]();
  }

  #resolve({ name: url, ...options }: Extract<InferencePlace, { readonly name: URL }>) {
    return new ResolvedName({ ...options, url, onUrls: (urls) => this.#addresses.set(urls) });
  }

  /** Sends the request to one address, or its two parts to two addresses if no address has all named models. */
  async #answer(request: AnalysisRequest, allowed: Allowed): Promise<ImageAnalysis> {
    const parts = partsOf(request);
    if (parts === null) return this.#try(request, allowed);
    const models = request.models!;
    if (!this.#isApart(models)) {
      try {
        return await this.#try(request, allowed);
      } catch (error) {
        if (!(error instanceof ModelNotHere)) throw error;
        this.#apart = { models, until: performance.now() + APART_MS };
      }
    }
    const [faces, objects] = await Promise.all([
      this.#try(parts.faces, allowed),
      this.#try(parts.objects, allowed),
    ]);
    return joined(faces, objects);
  }

  #isApart({ face, object }: NamedModels): boolean {
    if (this.#apart === null || performance.now() > this.#apart.until) return false;
    const { models } = this.#apart;
    return models.face === face && models.object === object;
  }

  async #try(request: AnalysisRequest, { lane, leftMs, signal }: Allowed): Promise<ImageAnalysis> {
    const { models = {} } = request;
    const next = (tried: ReadonlySet<InferenceAddress>) => this.#next(tried, { lane, models });
    const endsAt = performance.now() + leftMs;
    const tried = new Set<InferenceAddress>();
    const unanswered = new Unanswered();
    for (let address = next(tried); address !== null; address = next(tried)) {
      tried.add(address);
      const reply = await address.analyze(request, { signal, leftMs: endsAt - performance.now() });
      if (reply.kind === 'answered') return reply.analysis;
      if (reply.kind === 'refused') throw reply.error;
      unanswered.add(reply);
      if (unanswered.isFinal) break;
      if (isRetriable(reply) && next(tried) === null) tried.delete(address);
    }
    const { full, error } = unanswered;
    if (full !== null) this.#refusals.add(request.tenant ?? NO_TENANT, full);
    throw error;
  }

  /**
   * Returns the least busy address that was not tried yet. Addresses that just failed or lack the models are only
   * chosen if no other is left.
   */
  #next(
    tried: ReadonlySet<InferenceAddress>,
    { lane, models }: { readonly lane: Lane; readonly models: NamedModels },
  ): InferenceAddress | null {
    const { current } = this.#addresses;
    const turn = this.#turn++ % Math.max(1, current.length);
    const rotated = [...current.slice(turn), ...current.slice(0, turn)];
    const left = rotated.filter((address) => !tried.has(address));
    const healthy = left.filter(
      (address) => !address.isCoolingDown && !address.isUnusable && !address.lacks(models),
    );
    const candidates = healthy.length > 0 ? healthy : left;
    return candidates.reduce<InferenceAddress | null>(
      (best, address) => (best === null || isLessBusy(address, best, lane) ? address : best),
      null,
    );
  }
}

type Allowed = Attempt & { readonly lane: Lane };

function isLessBusy(
  { busy: one }: InferenceAddress,
  { busy: other }: InferenceAddress,
  lane: Lane,
): boolean {
  if (lane === 'interactive' && one.interactive !== other.interactive) {
    return one.interactive < other.interactive;
  }
  return one.all < other.all;
}

/** Ignores a mismatch of wire versions, because a process of another release works, and its address must not fail. */
function answersInAnotherVersion(error: unknown): void {
  if (!(error instanceof WireVersionMismatch)) throw error;
}

/** Whether sending the request again on a new connection to the same address may succeed. */
function isRetriable(reply: Reply): boolean {
  return reply.kind === 'failed' && reply.connection !== 'other';
}

const UNGUARDED: AddressGuard = {
  guard: (operation, signal = new AbortController().signal) => operation(signal),
};

function merged(answers: readonly AnalyzerStatus[]): AnalyzerStatus {
  const ready = answers.filter((answer) => answer.ready);
  const [first] = ready.length > 0 ? ready : answers;
  const models = (ready.length > 0 ? ready : answers).flatMap((answer) => answer.models);
  const bySlot = new Map(models.toReversed().map((model) => [slotOf(model), model]));
  return {
    ready: ready.length > 0,
    provider: first!.provider,
    models: models.filter((model) => bySlot.get(slotOf(model)) === model),
    report: reportOf(answers),
    found: foundBy(answers),
  };
}

function foundBy(answers: readonly AnalyzerStatus[]): AnalyzerStatus['found'] {
  const all = answers.flatMap(({ models, found = [] }) => [...models, ...found]);
  return [...new Map(all.map((model) => [model.revision, model])).values()];
}

/** Reports each model once. A report that the model is warm is preferred to the other processes' reports. */
function reportOf(answers: readonly AnalyzerStatus[]): AnalyzerStatus['report'] {
  const all = answers.flatMap(({ report }) => report);
  const ofRevision = Map.groupBy(all, ({ revision }) => revision);
  return [...ofRevision.values()].map(
    (same) => same.find(({ state }) => state === 'warm') ?? same[0]!,
  );
}
