import { beforeAll, describe, expect, it } from 'vitest';
import { journeyIn, type StartedJourney } from '../../support/journey-driver.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { Database } from '../../../src/platform/index.js';
import type { TestService } from '../../support/service.js';
import { serviceOfFile, sharedService } from '../../support/shared-service.js';
import {
  expectNoBusiness,
  UNKNOWN_APPLICATION,
  UNKNOWN_DELIVERY,
  UNKNOWN_JOURNEY,
  UNKNOWN_SUBSCRIPTION,
} from './auth-harness.js';

// Checks 7 and 8 of decisions §2: the object in the path belongs to the partner, and the session to the object.

const DAY_MS = 86_400_000;

const service = serviceOfFile();
/** The same service with another partner. */
let stranger: TestService;
let demo: PartnerClient;
let other: PartnerClient;
let journey: StartedJourney;

beforeAll(async () => {
  demo = partnerClient(service);
  stranger = await sharedService();
  other = partnerClient(stranger);
  // With all offers received, no lender changes the journey during a test.
  journey = await journeyIn(demo, 'OFFERS_RECEIVED');
});

const SELECT = { offerId: 'off_x' };

/** Checks both partners. */
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
    const { id, session } = journey;
    await expectNoBusinessOfBoth(async () => {
      const answers = [
        await other.journey(id, session),
        await other.action(id, session, 'SELECT_OFFER', SELECT),
        await other.returned(id, session, 'KYC'),
      ];
      for (const answer of answers) expect(answer).toBeRefused('journey_not_found');
    });
    expect((await demo.journey(id, session)).status).toBe(200);
  });

  it('another partner’s subscription, which stays as it was', async () => {
    const { json } = await demo.post('/webhooks', { url: 'https://receiver.example/' });
    const theirs = String(json.data.subscriptionId);
    await service.get<Database>(Database).query(
      `UPDATE webhook_lanes SET is_active = false, inactive_since = app_now()
         WHERE subscription_id = $1`,
      [theirs],
    );
    const calls: [string, string, object?][] = [
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['POST', '/rotate-secret'],
      ['POST', '/enable'],
      ['POST', '/disable'],
      ['POST', '/test'],
      ['POST', '/recover', {}],
      ['POST', `/deliveries/${UNKNOWN_DELIVERY}/redeliver`],
    ];
    await expectNoBusinessOfBoth(async () => {
      for (const id of [theirs, UNKNOWN_SUBSCRIPTION, 'x']) {
        for (const [method, path, body] of calls) {
          const answer = await other.call(method, `/webhooks/${id}${path}`, { body });
          expect(answer).toBeRefused('subscription_not_found');
        }
      }
    });
    // Its own partner can still delete it; it is still inactive.
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
    const { id, session } = journey;
    expect((await demo.journey(id, session)).status).toBe(200);
    for (const cookie of [`journey_session=${session}`, `a=b; journey_session=${session}; c=d`]) {
      const headers = { cookie };
      expect((await demo.journey(id, undefined, { headers })).status).toBe(200);
      const acted = await demo.action(id, undefined, 'SELECT_OFFER', SELECT, { headers });
      // The session is accepted: only the offer is invalid.
      expect(acted).toBeRefused('validation_failed');
    }
  });
});

describe('401: the session is missing', () => {
  it('in header and cookie, or empty there', async () => {
    await expectNoBusiness(service, async () => {
      for (const headers of [
        {},
        { 'x-journey-session': '' },
        { cookie: 'session=x; not_journey_session=y' },
        { cookie: 'journey_session=; a=b' },
      ] as Record<string, string>[]) {
        for (const answer of [
          await demo.journey(journey.id, undefined, { headers }),
          await demo.action(journey.id, undefined, 'SELECT_OFFER', SELECT, { headers }),
        ]) {
          expect(answer).toBeRefused('journey_session_missing');
        }
      }
    });
  });
});

describe('401: the session is not this journey’s', () => {
  it('but another journey’s of the same partner, or nearly so', async () => {
    const another = await journeyIn(demo, 'OFFERS_RECEIVED');
    const [id, right] = [journey.id, journey.session!];
    const near = right.at(-2) === 'a' ? 'b' : 'a';
    const wrong = [
      another.session!,
      right.slice(0, -1),
      `${right}a`,
      right.slice(0, -2) + near + right.slice(-1),
    ];
    await expectNoBusiness(service, async () => {
      for (const session of wrong) {
        const cookie = { headers: { cookie: `journey_session=${session}` } };
        for (const answer of [
          await demo.journey(id, session),
          await demo.journey(id, undefined, cookie),
          await demo.action(id, session, 'SELECT_OFFER', SELECT),
          // The session is optional here, but an invalid one is still refused.
          await demo.returned(id, session, 'KYC'),
          await demo.returned(id, undefined, 'KYC', cookie),
        ]) {
          expect(answer).toBeRefused('journey_session_invalid');
        }
      }
    });
  });
});

// Last, because time only moves forward.
describe('a session in time', () => {
  it('is refused 30 days after the end of the journey; until then it is good', async () => {
    // Every lender declines: the journey ends at once.
    const { id, session } = await journeyIn(demo, 'REJECTED', { pan: 'SANDX0001A' });
    await service.travel(30 * DAY_MS - 60_000);
    expect((await demo.journey(id, session)).status).toBe(200);
    await service.travel(61_000);
    expect(await demo.journey(id, session)).toBeRefused('journey_session_invalid');
    const acted = await demo.action(id, session, 'SELECT_OFFER', SELECT);
    expect(acted).toBeRefused('journey_session_invalid');
  });
});
