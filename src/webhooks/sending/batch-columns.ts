import type { Attempt } from './attempt.js';

/** What a batch brought one lane. */
interface LaneResults {
  readonly subscriptionId: string;
  readonly leaseToken: number;
  /** Those after the last success. */
  failures: number;
  hasSucceeded: boolean;
  isGone: boolean;
  hasProbeFailed: boolean;
}

/**
 * A batch of attempts, in the order in which they ended, as the values of the statement that records
 * it: the lanes by column, then the attempts by column.
 * @param letGo the lanes whose leases end with it
 */
export function batchColumns(
  attempts: readonly Attempt[],
  letGo: ReadonlySet<string>,
): unknown[][] {
  const lanes = laneResults(attempts);
  const places = new Map(lanes.map((lane, index) => [keyOf(lane), index + 1]));
  return [
    lanes.map(({ subscriptionId }) => subscriptionId),
    lanes.map(({ leaseToken }) => leaseToken),
    lanes.map(({ hasSucceeded }) => hasSucceeded),
    lanes.map(({ isGone }) => isGone),
    lanes.map(({ hasProbeFailed }) => hasProbeFailed),
    lanes.map(({ failures }) => failures),
    lanes.map(({ subscriptionId }) => letGo.has(subscriptionId)),
    attempts.map(({ claim }) => claim.deliveryId),
    attempts.map(({ claim }) => places.get(keyOf(claim.lane))),
    attempts.map(({ claim }) => claim.attempt),
    attempts.map(({ startedAt }) => startedAt.toISOString()),
    attempts.map(({ result }) => result.durationMs),
    attempts.map(({ result }) => result.responseStatus),
    attempts.map(({ result }) => result.responseExcerpt),
    attempts.map(({ result }) => result.failure),
    attempts.map(({ result }) => result.isSuccess),
    attempts.map(({ result, retryDelayMs }) => (result.isSuccess ? null : retryDelayMs)),
  ];
}

/** In the order of their ids, in which everybody locks them. */
function laneResults(attempts: readonly Attempt[]): LaneResults[] {
  const lanes = new Map<string, LaneResults>();
  for (const { claim, result } of attempts) {
    const { subscriptionId, leaseToken, isProbe } = claim.lane;
    const lane = lanes.get(keyOf(claim.lane)) ?? {
      subscriptionId,
      leaseToken,
      failures: 0,
      hasSucceeded: false,
      isGone: false,
      hasProbeFailed: false,
    };
    lanes.set(keyOf(claim.lane), lane);
    lane.failures = result.isSuccess ? 0 : lane.failures + 1;
    lane.hasSucceeded ||= result.isSuccess;
    lane.isGone ||= result.isGone;
    lane.hasProbeFailed ||= isProbe && !result.isSuccess;
  }
  return [...lanes.values()].toSorted((a, b) => (a.subscriptionId < b.subscriptionId ? -1 : 1));
}

/** A lane that has changed hands and come back counts as another. */
function keyOf(lane: { subscriptionId: string; leaseToken: number }): string {
  return `${lane.subscriptionId} ${lane.leaseToken}`;
}
