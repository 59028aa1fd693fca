import { plainArray } from '../../platform/index.js';
import type { Attempt } from '../sender/attempt-result.js';

/** What a batch brought one lane. */
interface LaneResults {
  readonly subscriptionId: string;
  readonly leaseToken: number;
  /** In the batch, from 1. */
  place: number;
  /** Those after the last success. */
  failures: number;
  hasSucceeded: boolean;
  isGone: boolean;
  hasProbeFailed: boolean;
  /** Of its successes together. */
  successes: number;
  successMs: number;
}

/**
 * A batch of attempts, in the order in which they ended, as the values of the statement that records
 * it: the lanes by column, then the attempts by column.
 * @param letGo the lanes whose leases end with it
 */
export function batchColumns(attempts: readonly Attempt[], letGo: ReadonlySet<string>): unknown[] {
  const laneOfEach = laneResults(attempts);
  const lanes = inOrder(new Set(laneOfEach));
  return [
    plainArray(lanes.map(({ subscriptionId }) => subscriptionId)),
    plainArray(lanes.map(({ leaseToken }) => leaseToken)),
    plainArray(lanes.map(({ hasSucceeded }) => hasSucceeded)),
    plainArray(lanes.map(({ isGone }) => isGone)),
    plainArray(lanes.map(({ hasProbeFailed }) => hasProbeFailed)),
    plainArray(lanes.map(({ failures }) => failures)),
    plainArray(lanes.map(({ subscriptionId }) => letGo.has(subscriptionId))),
    plainArray(
      lanes.map(({ successes, successMs }) => (successes === 0 ? null : successMs / successes)),
    ),
    plainArray(attempts.map(({ claim }) => claim.deliveryId)),
    plainArray(laneOfEach.map(({ place }) => place)),
    plainArray(attempts.map(({ claim }) => claim.attempt)),
    plainArray(attempts.map(({ startedAt }) => startedAt.getTime())),
    plainArray(attempts.map(({ result }) => result.durationMs)),
    plainArray(attempts.map(({ result }) => result.responseStatus)),
    // What a receiver wrote has its quotes from the driver.
    attempts.map(({ result }) => result.responseExcerpt),
    plainArray(attempts.map(({ result }) => result.failure)),
    plainArray(attempts.map(({ result }) => result.isSuccess)),
    plainArray(
      attempts.map(({ result, retryDelayMs }) => (result.isSuccess ? null : retryDelayMs)),
    ),
  ];
}

/** For each attempt its lane; a lane that has changed hands and come back counts as another. */
function laneResults(attempts: readonly Attempt[]): LaneResults[] {
  const lanes = new Map<string, LaneResults>();
  return attempts.map(({ claim, result }) => {
    const { subscriptionId, leaseToken, isProbe } = claim.lane;
    const key = `${subscriptionId} ${leaseToken}`;
    const lane = lanes.get(key) ?? {
      subscriptionId,
      leaseToken,
      place: 0,
      failures: 0,
      hasSucceeded: false,
      isGone: false,
      hasProbeFailed: false,
      successes: 0,
      successMs: 0,
    };
    lanes.set(key, lane);
    lane.failures = result.isSuccess ? 0 : lane.failures + 1;
    lane.hasSucceeded ||= result.isSuccess;
    if (result.isSuccess) {
      lane.successes += 1;
      lane.successMs += result.durationMs;
    }
    lane.isGone ||= result.isGone;
    lane.hasProbeFailed ||= isProbe && !result.isSuccess;
    return lane;
  });
}

/** In the order of their ids, in which everybody locks them. */
function inOrder(lanes: ReadonlySet<LaneResults>): LaneResults[] {
  const sorted = [...lanes].toSorted((a, b) => (a.subscriptionId < b.subscriptionId ? -1 : 1));
  sorted.forEach((lane, index) => {
    lane.place = index + 1;
  });
  return sorted;
}
