import { describe, expect, it } from 'vitest';
import { type Attempt, batchColumns } from './attempts.repository.js';

interface Given {
  lane: string;
  token?: number;
  isProbe?: boolean;
  status: number;
  event?: Attempt['claim']['eventName'];
  retryDelayMs?: number | null;
  durationMs?: number;
}

function attemptOf(given: Given, place: number): Attempt {
  const isSuccess = given.status === 200;
  return {
    claim: {
      lane: {
        subscriptionId: given.lane,
        partnerId: 'prt_1',
        leaseToken: given.token ?? 1,
        url: 'https://partner.example/',
        secretSealed: 'sealed',
        previousSecretsSealed: [],
        capacity: 5,
        isProbe: given.isProbe ?? false,
      },
      deliveryId: `dlv_${place}`,
      eventId: `evt_${place}`,
      eventName: given.event ?? 'journey.initiated',
      body: '{}',
      attempt: 1,
      waitedSeconds: 0,
      readAt: 0,
    },
    startedAt: place,
    result: {
      isSuccess,
      isGone: given.status === 410,
      responseStatus: given.status,
      responseExcerpt: '',
      failure: null,
      retryAfterMs: null,
      durationMs: given.durationMs ?? 1,
    },
    retryDelayMs: given.retryDelayMs ?? 5_000,
  };
}

function columnsOf(given: Given[]) {
  const [
    ids,
    tokens,
    succeeded,
    gone,
    probeFailed,
    failures,
    failsJourneyEvents,
    deliveries,
    lanes,
    ...rest
  ] = batchColumns(given.map(attemptOf), 1_000);
  return {
    lanes: {
      ids,
      tokens,
      succeeded,
      gone,
      probeFailed,
      failures,
      failsJourneyEvents,
    },
    attempts: { deliveries, lanes, waits: rest.at(-1) },
  };
}

describe('the columns of a batch', () => {
  it('have each lane once, in the order of the ids, and each attempt with the place of its lane', () => {
    const { lanes, attempts } = columnsOf([
      { lane: 'sub_b', status: 200 },
      { lane: 'sub_a', status: 500 },
      { lane: 'sub_b', status: 200 },
    ]);
    expect(lanes).toMatchObject({ ids: ['sub_a', 'sub_b'] });
    expect(attempts).toEqual({
      deliveries: ['dlv_0', 'dlv_1', 'dlv_2'],
      lanes: [2, 1, 2],
      waits: [null, 5000, null],
    });
  });

  it('count as failures in a row those after the last success', () => {
    const { lanes } = columnsOf([
      { lane: 'sub_a', status: 500 },
      { lane: 'sub_a', status: 200 },
      { lane: 'sub_a', status: 500 },
      { lane: 'sub_a', status: 503 },
      { lane: 'sub_b', status: 500 },
    ]);
    expect(lanes).toMatchObject({ failures: [2, 1], succeeded: [true, false] });
  });

  it('tell whether one of those was of a journey’s event, and not of an alert', () => {
    const alert = 'webhook.endpoint_failing';
    const { lanes } = columnsOf([
      { lane: 'sub_a', status: 500 },
      { lane: 'sub_a', status: 500, event: alert },
      { lane: 'sub_b', status: 500, event: alert },
      { lane: 'sub_c', status: 500 },
      { lane: 'sub_c', status: 200 },
      { lane: 'sub_c', status: 500, event: alert },
    ]);
    expect(lanes).toMatchObject({ failsJourneyEvents: [true, false, false], failures: [2, 1, 1] });
  });
});
