import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.js';
import { loanRequest, type LoanRequestOptions } from '../../support/loan-requests.js';
import { type Initiated, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { Database } from '../../../src/platform/index.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';
import {
  expectNoBusiness,
  UNKNOWN_APPLICATION,
  UNKNOWN_DELIVERY,
  UNKNOWN_JOURNEY,
  UNKNOWN_SUBSCRIPTION,
} from './auth-harness.js';

// Checks 7 and 8 of decisions §2: the object in the path belongs to the partner, and the session to the object.

const DAY_MS = 86_400_000;

// The sandbox's lenders answer within a second; a loaded machine may take longer.
const OFFERS_COME = { withinMs: 20_000 };

let service: TestService;
/** The same service with another partner. */
let stranger: TestService;
let demo: PartnerClient;
let other: PartnerClient;
let journey: Initiated;

beforeAll(async () => {
  service = await sharedService();
  demo = partnerClient(service);
  stranger = await sharedService();
  other = partnerClient(stranger);
  journey = await startJourney(demo);
});

async function startJourney(
  client: PartnerClient,
  options: LoanRequestOptions = {},
): Promise<Initiated> {
  const { json } = await client.initiate(loanRequest(options));
  const { journeyId, journeySession } = json.data;
  if (options.channel === 'API_HOSTED') return json.data;
  // Wait until the lenders have answered, so that nothing changes during a test.
  await eventually(async () => {
    const { state } = (await client.journey(journeyId, journeySession)).json.data;
    expect(['OFFERS_RECEIVED', 'REJECTED']).toContain(state);
  }, OFFERS_COME);
  return json.data;
}

const SELECT = { offerId: 'off_x' };

/** Of the partner and of the stranger. */
function expectNoBusinessOfBoth(work: () => Promise<unknown>): Promise<void> {
  return expectNoBusiness(service, () => expectNoBusiness(stranger, work));
}

describe('404: what the path names is not there for this partner', () => {
  it('a journey id of nothing, malformed, or of another kind', async () => {
    for (const id of [UNKNOWN_JOURNEY, 'jrn_1', UNKNOWN_APPLICATION, '%25', 'j'.repeat(1_000)]) {
      for (const answer of [
        await demo.journey(id),
        await demo.action(id, undefined, 'SELECT_OFFER', SELECT),
        await demo.returned(id, undefined, 'KYC'),
      ]) {
        expect(answer).toBeRefused('journey_not_found');
      }
    }
  });

  it('another partner’s journey, though the caller holds its session', async () => {
    const { journeyId, journeySession } = journey;
    await expectNoBusinessOfBoth(async () => {
      const answers = [
        await other.journey(journeyId, journeySession),
        await other.action(journeyId, journeySession, 'SELECT_OFFER', SELECT),
        await other.returned(journeyId, journeySession, 'KYC'),
      ];
      for (const answer of answers) expect(answer).toBeRefused('journey_not_found');
    });
    expect((await demo.journey(journeyId, journeySession)).status).toBe(200);
  });

  it('another partner’s subscription, which stays as it was', async () => {
    const { json } = await demo.post('/webhooks', { url: 'https://receiver.example/' });
    const theirs = String(json.data.subscriptionId);
    await service.get<Database>(Database).query(
      `UPDATE webhook_lanes SET is_active = false, inactive_since = app_now()
         WHERE subscription_id = $1`,
      [theirs],
    );
    for (const id of [theirs, UNKNOWN_SUBSCRIPTION, 'x']) {
      await expectNoBusinessOfBoth(async () => {
        const rotated = await other.post(`/webhooks/${id}/rotate-secret`);
        expect(rotated).toBeRefused('subscription_not_found');
        expect(await other.delete(`/webhooks/${id}`)).toBeRefused('subscription_not_found');
        for (const call of [
          'enable',
          'test',
          'recover',
          `deliveries/${UNKNOWN_DELIVERY}/redeliver`,
        ]) {
          const answer = await other.post(`/webhooks/${id}/${call}`, {});
          expect(answer).toBeRefused('subscription_not_found');
        }
        const listed = await other.get(`/webhooks/${id}/deliveries`);
        expect(listed).toBeRefused('subscription_not_found');
      });
    }
    // Its own partner can still delete it, and it is still inactive.
    const listed = await demo.get<{ subscriptions: object[] }>('/webhooks');
    expect(listed.json.data.subscriptions).toContainEqual(
      expect.objectContaining({ subscriptionId: theirs, isActive: false }),
    );
    const own = `/webhooks/${theirs}`;
    expect((await demo.delete(own)).json.data).toEqual({ deleted: true });
    expect(await demo.delete(own)).toBeRefused('subscription_not_found');
  });
});

describe('the session of a headless journey', () => {
  it('is taken from the header, and from the cookie among others', async () => {
    const { journeyId, journeySession } = journey;
    const cookies = [
      `journey_session=${journeySession}`,
      `a=b; journey_session=${journeySession}; c=d`,
    ];
    expect((await demo.journey(journeyId, journeySession)).status).toBe(200);
    for (const cookie of cookies) {
      expect((await demo.journey(journeyId, undefined, { headers: { cookie } })).status).toBe(200);
      const acted = await demo.action(journeyId, undefined, 'SELECT_OFFER', SELECT, {
        headers: { cookie },
      });
      // The session is accepted: only the offer is invalid.
      expect(acted).toBeRefused('validation_failed');
    }
  });
});

describe('401: the session is missing', () => {
  it('in header and cookie, or empty there', async () => {
    const { journeyId } = journey;
    await expectNoBusiness(service, async () => {
      for (const headers of [
        {},
        { 'x-journey-session': '' },
        { cookie: 'session=x; not_journey_session=y' },
        { cookie: 'journey_session=; a=b' },
      ] as Record<string, string>[]) {
        const read = await demo.journey(journeyId, undefined, { headers });
        const act = demo.action(journeyId, undefined, 'SELECT_OFFER', SELECT, { headers });
        for (const answer of [read, await act]) {
          expect(answer).toBeRefused('journey_session_missing');
        }
      }
    });
  });
});

describe('401: the session is not this journey’s', () => {
  async function expectInvalid(journeyId: string, session: string): Promise<void> {
    const cookie = { headers: { cookie: `journey_session=${session}` } };
    await expectNoBusiness(service, async () => {
      const answers = [
        await demo.journey(journeyId, session),
        await demo.journey(journeyId, undefined, cookie),
        await demo.action(journeyId, session, 'SELECT_OFFER', SELECT),
        // The session is optional there, but an invalid one is still rejected.
        await demo.returned(journeyId, session, 'KYC'),
        await demo.returned(journeyId, undefined, 'KYC', cookie),
      ];
      for (const answer of answers) expect(answer).toBeRefused('journey_session_invalid');
    });
  }

  it('but another journey’s of the same partner, or nearly so', async () => {
    const { journeyId, journeySession } = journey;
    const another = await startJourney(demo);
    await expectInvalid(journeyId, another.journeySession);
    const last = journeySession.at(-2) === 'a' ? 'b' : 'a';
    await expectInvalid(journeyId, journeySession.slice(0, -1));
    await expectInvalid(journeyId, `${journeySession}a`);
    await expectInvalid(journeyId, journeySession.slice(0, -2) + last + journeySession.slice(-1));
  });
});

// Last, because time only moves forward.
describe('a session in time', () => {
  it('is refused 30 days after the end of the journey; until then it is good', async () => {
    // Every lender declines: the journey ends at once.
    const { journeyId, journeySession } = await startJourney(demo, { pan: 'SANDX0001A' });
    await service.travel(30 * DAY_MS - 60_000);
    const { status, json } = await demo.journey(journeyId, journeySession);
    expect({ status, outcome: json.data.outcome }).toEqual({ status: 200, outcome: 'REJECTED' });
    await service.travel(61_000);
    expect(await demo.journey(journeyId, journeySession)).toBeRefused('journey_session_invalid');
    const acted = await demo.action(journeyId, journeySession, 'SELECT_OFFER', SELECT);
    expect(acted).toBeRefused('journey_session_invalid');
  });
});
