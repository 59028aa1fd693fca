import { beforeAll, describe, expect, it } from 'vitest';
import { EVENT_NAMES, WEBHOOK_EVENTS } from '../../../src/webhooks/index.js';
import { eventually } from '../../support/eventually.js';
import { driveTo } from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';

const NAME = 'lead.status_changed';

interface LeadEvent {
  event: string;
  sequence: number;
  applicationId: string;
  data: { loanType: string; status: string; previousStatus: string; reason?: string };
}

const service = serviceOfFile();
let partner: PartnerClient;

beforeAll(() => {
  partner = partnerClient(service);
});

async function events(query: string): Promise<LeadEvent[]> {
  const { status, json } = await partner.get<{ events: LeadEvent[] }>(`/events?limit=100${query}`);
  expect([status, json.error]).toEqual([200, undefined]);
  return json.data.events;
}

async function eventsOf(applicationId: string): Promise<LeadEvent[]> {
  const all = await events(`&events=${NAME}`);
  return all.filter((event) => event.applicationId === applicationId);
}

describe('lead.status_changed', () => {
  it('follows every status of a journey’s lead, each with the one before, and its reason at the end', async () => {
    // The reserved PAN whose lenders all decline.
    const declined = await partner.initiate(loanRequest({ pan: 'SANDX0001A' }));
    const { journeyId: id, journeySession: session } = declined.json.data;
    await driveTo(partner, { id, session }, 'REJECTED');
    const { applicationId } = declined.json.data;
    const status = async () =>
      (await partner.get<{ status: string }>(`/leads/${applicationId}/status`)).json.data.status;
    await eventually(async () => expect(await eventsOf(applicationId)).not.toEqual([]));
    const seen = await eventsOf(applicationId);
    expect(seen.map(({ sequence }) => sequence)).toEqual(seen.map((_, index) => index + 1));
    const statuses = ['INITIATED', ...seen.map(({ data }) => data.status)];
    expect(seen.map(({ data }) => data.previousStatus)).toEqual(statuses.slice(0, -1));
    expect(statuses.at(-1)).toBe(await status());
  });

  it('has the reason, as the lead’s status, when the lender declines a paid instant loan', async () => {
    const body = { mobile: '9876543210', customer: { pan: 'SANDX0013A', firstName: 'Asha' } };
    const { json } = await partner.post<{ applicationId: string }>('/instant-loans', body);
    const { applicationId } = json.data;
    const pay = () =>
      partner.post(`/sandbox/instant-loans/${applicationId}/payment`, { outcome: 'PAID' });
    await eventually(async () => expect((await pay()).status).toBe(200));
    const end = { status: 'REJECTED', reason: 'LOAN_DECLINED' };
    await eventually(async () =>
      expect((await eventsOf(applicationId)).at(-1)?.data).toMatchObject(end),
    );
    expect((await partner.get(`/leads/${applicationId}/status`)).json.data).toMatchObject(end);
  });

  it('follows an instant loan’s lead, whose journey sends no events', async () => {
    const body = { mobile: '9876543210', customer: { pan: 'SANDX0001A', firstName: 'Asha' } };
    const { json } = await partner.post<{ applicationId: string }>('/instant-loans', body);
    const { applicationId } = json.data;
    await service.travel(3 * 24 * 3_600_000);
    await eventually(async () => expect(await eventsOf(applicationId)).not.toEqual([]));
    const [{ data }] = await eventsOf(applicationId);
    expect(data).toMatchObject({ loanType: 'ONLINE_INSTANT', previousStatus: 'PAYMENT_PENDING' });
  });

  it('is not sent for a move that leaves the status as it was', async () => {
    const body = { mobile: '9876543210', customer: { pan: 'ABCDE1234F', firstName: 'Asha' } };
    const { json } = await partner.post<{ applicationId: string; journeyId: string }>(
      '/instant-loans',
      body,
    );
    const { applicationId, journeyId } = json.data;
    await eventually(async () => {
      const journey = await partner.get<{ state: string }>(`/journey/${journeyId}`);
      expect(journey.json.data.state).toBe('OFFERS_RECEIVED');
    });
    expect(await eventsOf(applicationId)).toEqual([]);
  });

  it('is given by /events and sent to subscriptions only where it is named', async () => {
    await partner.initiate(loanRequest());
    const all = await events('');
    expect(all).not.toEqual([]);
    expect(all.filter(({ event }) => event === NAME)).toEqual([]);
    expect(EVENT_NAMES).toContain(NAME);
    expect(WEBHOOK_EVENTS).not.toContain(NAME);
  });
});
