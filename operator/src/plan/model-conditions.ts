import { type Condition, type Finding, finding, toConditions } from './conditions.ts';
import { credentialsFinding } from './credentials.ts';
import { isFinal } from './failures.ts';
import { hasFailure } from './loading.ts';
import type { ModelFacts } from './model-facts.ts';

export function modelConditions(facts: ModelFacts): readonly Condition[] {
  const { model, now } = facts;
  const verified = verifiedOf(facts);
  const warm = warmOf(facts);
  const ready = readyOf(facts, { verified, warm });
  const findings = {
    Verified: verified,
    Warm: warm,
    Active: activeOf(facts),
    Ready: ready,
    Reconciling: reconcilingOf(facts, { ready, warm }),
    Stalled: stalledOf(facts),
    ...(model.spec.podsOf === undefined && { CredentialsCurrent: credentialsFinding(facts.pods) }),
  };
  const generation = model.metadata.generation ?? 0;
  return toConditions(findings, model.status?.conditions, { generation, now });
}

function verifiedOf(facts: ModelFacts): Finding {
  const { isVerified, demand, failure, model } = facts;
  if (isVerified) return finding(true, 'Verified', 'The pack is in the model store.');
  if (model.spec.suspend) return finding(false, 'Suspended');
  if (demand.keep === 'nothing') return finding(false, 'NotRequested', 'Its files are not needed.');
  return (
    failed(failure) ?? finding(false, 'Fetching', 'The pack is being fetched into the model store.')
  );
}

function warmOf(facts: ModelFacts): Finding {
  const { demand, counts, isVerified, failure, model, podsDesired } = facts;
  if (model.spec.suspend) return finding(false, 'Suspended');
  if (demand.waits) {
    return finding(
      false,
      'Waiting',
      'Its pods load two other models of the task; it is loaded once one of them is removed.',
    );
  }
  if (demand.keep !== 'loaded') return finding(false, 'NotRequested', 'No route names it.');
  if (counts.isWarm) return finding(true, 'Warm', `Loaded in ${counts.warm} pods.`);
  if (!isVerified)
    return (
      failed(failure) ?? finding(false, 'Loading', 'The pack of the model is not verified yet.')
    );
  if (podsDesired === 0)
    return finding(
      false,
      'PodsMissing',
      'The model whose pods should load it is suspended, or has 0 replicas.',
    );
  const { warm, desired } = counts;
  const shown = `Loaded in ${warm} of ${desired} pods.${podFailureShown(facts)}`;
  return (
    failed(failure) ?? finding(false, facts.deployment === null ? 'PodsMissing' : 'Loading', shown)
  );
}

function podFailureShown({ pods }: ModelFacts): string {
  const waiting = pods.find((pod) => hasFailure(pod));
  return waiting === undefined ? '' : ` Pod ${waiting.name}: ${waiting.failure?.message}`;
}

function activeOf(facts: ModelFacts): Finding {
  const { demand, counts } = facts;
  if (demand.role === 'active') {
    if (counts.isServed) return finding(true, 'Active', 'It serves requests.');
    return finding(true, 'NotServing', `It is the active model, but ${notServedBecause(facts)}.`);
  }
  if (demand.role === 'desired')
    return finding(false, 'Waiting', 'A route names it, but it is not active yet.');
  return finding(false, 'NotRouted', 'No route names it.');
}

function notServedBecause({ model, podsDesired }: ModelFacts): string {
  if (model.spec.suspend) return 'it is suspended';
  if (podsDesired > 0) return 'no ready pod has loaded it';
  return model.spec.podsOf === undefined
    ? 'it has 0 replicas'
    : `InferenceModel ${model.spec.podsOf}, whose pods should load it, is suspended or has 0 replicas`;
}

interface Inner {
  readonly verified: Finding;
  readonly warm: Finding;
}

function readyOf(facts: ModelFacts, inner: Inner): Finding {
  const { demand, model, missing, failure } = facts;
  if (model.spec.suspend) return finding(false, 'Suspended', 'It is suspended.');
  if (missing?.reason === 'PodsOfMissing' && failure !== null) return failed(failure)!;
  if (demand.waits) return inner.warm;
  if (demand.keep === 'nothing') return finding(true, 'NotRequested', 'Its files are not needed.');
  return demand.keep === 'loaded' ? readyInPods(facts, inner.warm) : inner.verified;
}

function readyInPods(facts: ModelFacts, warm: Finding): Finding {
  const { counts, rollout, demand } = facts;
  const enough = Math.max(counts.desired - (rollout.type === 'Replace' ? 1 : 0), 1);
  if (counts.warm < enough) return { ...warm, holds: false };
  if (demand.role === 'active' && !counts.isServed) return { ...activeOf(facts), holds: false };
  return finding(true, 'Ready', `Loaded in ${counts.warm} of ${counts.desired} pods.`);
}

function reconcilingOf(
  facts: ModelFacts,
  { ready, warm }: { readonly ready: Finding; readonly warm: Finding },
): Finding {
  const { demand, failure, model } = facts;
  if (model.spec.suspend) return finding(false, 'Suspended');
  if (failure !== null && isFinal(failure)) return finding(false, failure.reason!, failure.message);
  const isWarming = demand.keep === 'loaded' && !warm.holds;
  if (isWarming || !ready.holds) return { ...(ready.holds ? warm : ready), holds: true };
  if (demand.role === 'draining') {
    return finding(true, 'Draining', 'It still serves requests that name it.');
  }
  return rolloutFinding(facts) ?? finding(false, 'Done');
}

/** The finding while pods are being replaced; null if none are. */
function rolloutFinding({ demand, deployment, refusal }: ModelFacts): Finding | null {
  const message = refusal?.message ?? deployment?.rolloutMessage ?? null;
  return message === null || demand.keep !== 'loaded' ? null : finding(true, 'Rollout', message);
}

function stalledOf({ failure, deployment, rollout, counts }: ModelFacts): Finding {
  if (failure !== null && isFinal(failure)) return { ...failed(failure)!, holds: true };
  const stuck = deployment?.stuck ?? null;
  if (stuck === null || counts.desired === 0) return finding(false, 'NotStalled');
  const hint =
    rollout.type === 'Surge' ? ' With rollout.type: Replace, an old pod is deleted first.' : '';
  return finding(true, 'ProgressDeadlineExceeded', `${stuck}${hint}`);
}

function failed(failure: ModelFacts['failure']): Finding | null {
  if (failure?.reason === undefined) return null;
  return finding(false, failure.reason, failure.message);
}
