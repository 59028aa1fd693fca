import { describe, expect, it } from 'vitest';
import { type Attempt, batchColumns } from './attempts.repository.js';

const ALERT = 'webhook.endpoint_failing';

/** Of attempts, by lane and status, and the event where it is not a journey's. */
function columnsOf(...given: [lane: string, status: number, event?: string][]) {
  const attempts = given.map(([subscriptionId, status, event], place) => ({
    claim: {
      lane: { subscriptionId, leaseToken: 1 },
      deliveryId: `dlv_${place}`,
      eventName: event ?? 'journey.initiated',
    },
    result: { isSuccess: status === 200 },
    retryDelayMs: 5_000,
  }));
  const columns = batchColumns(attempts as unknown as Attempt[], 1_000);
  const [ids, , succeeded, , , failures, failsJourneyEvents, deliveries, lanes] = columns;
  return { ids, succeeded, failures, failsJourneyEvents, deliveries, lanes, waits: columns.at(-1) };
}

describe('the columns of a batch', () => {
  it('have each lane once, in the order of the ids, and each attempt with the place of its lane', () => {
    expect(columnsOf(['sub_b', 200], ['sub_a', 500], ['sub_b', 200])).toMatchObject({
      ids: ['sub_a', 'sub_b'],
      deliveries: ['dlv_0', 'dlv_1', 'dlv_2'],
      lanes: [2, 1, 2],
      waits: [null, 5000, null],
    });
  });

  it('count as failures in a row those after the last success', () => {
    const failed = columnsOf(
      ['sub_a', 500],
      ['sub_a', 200],
      ['sub_a', 500],
      ['sub_a', 503],
      ['sub_b', 500],
    );
    expect(failed).toMatchObject({ failures: [2, 1], succeeded: [true, false] });
  });

  it('tell whether one of those was of a journey’s event, and not of an alert', () => {
    const failed = columnsOf(
      ['sub_a', 500],
      ['sub_a', 500, ALERT],
      ['sub_b', 500, ALERT],
      ['sub_c', 500],
      ['sub_c', 200],
      ['sub_c', 500, ALERT],
    );
    expect(failed).toMatchObject({ failsJourneyEvents: [true, false, false], failures: [2, 1, 1] });
  });
});
