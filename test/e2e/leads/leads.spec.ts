import { beforeAll, describe, expect, it } from 'vitest';

import { LeadWriter } from '../../../src/leads/index.js';
import { Database, IdGenerator } from '../../../src/platform/index.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { serviceOfFile, sharedService } from '../../support/shared-service.js';

interface Lead {
  applicationId: string;
  loanType: string;
  loanAmount: number;
  status: string;
  submittedAt: string;
  journeyId?: string;
}

interface Page {
  leads: Lead[];
  total: number;
  page: number;
  limit: number;
}

const NEWEST = `jrn_${'1'.repeat(32)}`;
const DEMO_LEADS = 45;
const FIRST_DAY = Date.UTC(2025, 0, 1, 12);
const DAY_MS = 86_400_000;

const service = serviceOfFile();
/** The same service with another partner. */
let stranger: TestService;
let client: PartnerClient;
let foreign: string;

beforeAll(async () => {
  stranger = await sharedService();
  client = partnerClient(service);
  // One after the other from the first of January, so that ids and times rise together.
  for (let index = 0; index < DEMO_LEADS; index += 1) {
    await open(service.partnerId, {
      loanType: index % 3 === 0 ? 'ONLINE_GOLD' : 'ONLINE_PERSONAL',
      status: index % 5 === 0 ? 'REJECTED' : 'INITIATED',
      loanAmount: 100_000_00 + index,
      submittedAt: new Date(FIRST_DAY + index * DAY_MS),
      ...(index === 44 && { journeyId: NEWEST, loanAmountSource: 'APPLICANT' }),
    });
  }
  foreign = await open(stranger.partnerId);
});

type NewLead = Parameters<LeadWriter['openAll']>[1][number];

async function open(partnerId: string, lead: Partial<NewLead> = {}): Promise<string> {
  const id = service.get(IdGenerator).next('app');
  const opened: NewLead = {
    id,
    partnerId,
    journeyId: id.replace('app', 'jrn'),
    loanType: 'ONLINE_PERSONAL',
    status: 'INITIATED',
    loanAmount: 5_000_00,
    loanAmountSource: 'PARTNER',
    referenceSealed: null,
    clientReferenceId: undefined,
    isReferenceUnique: false,
    submittedAt: new Date(FIRST_DAY),
    ...lead,
  };
  await service.get(Database).transaction((tx) => service.get(LeadWriter).openAll(tx, [opened]));
  return id;
}

async function list(query = '', by = client): Promise<Page> {
  const { status, json } = await by.get<Page>(`/leads${query}`);
  expect(status).toBe(200);
  return json.data;
}

describe('GET /leads answers 200', () => {
  it('with the newest first, twenty a page, with exactly the documented fields', async () => {
    const page = await list();
    expect(page).toMatchObject({ total: DEMO_LEADS, page: 1, limit: 20 });
    expect(page.leads).toHaveLength(20);
    const times = page.leads.map(({ submittedAt }) => submittedAt);
    expect(times).toEqual(times.toSorted().toReversed());
    expect(page.leads[0]).toEqual({
      applicationId: expect.stringMatching(/^app_[0-9a-f]{32}$/),
      loanType: 'ONLINE_PERSONAL',
      loanAmount: 100_000.44,
      loanAmountSource: 'APPLICANT',
      status: 'INITIATED',
      submittedAt: '2025-02-14T12:00:00.000Z',
      journeyId: NEWEST,
    });
    const ids = [];
    for (let number = 1; number <= 4; number += 1) {
      const { leads } = await list(`?page=${number}&limit=15`);
      ids.push(...leads.map(({ applicationId }) => applicationId));
    }
    expect(ids).toHaveLength(DEMO_LEADS);
    expect(new Set(ids).size).toBe(DEMO_LEADS);
  });

  it.each([
    ['?status=REJECTED', 9],
    ['?status=REJECTED&loanType=ONLINE_GOLD', 3],
    ['?status=rejected', 0],
    ['?loanType=NO_SUCH_TYPE', 0],
    ['?status=%00', 0],
    ['?status=', DEMO_LEADS],
    ['?from=2025-01-10T12:00:00Z&to=2025-01-10T12:00:00Z', 1],
    ['?from=2025-01-10&to=2025-01-12', 3],
    ['?from=2025-01-10T17:30:00+05:30&to=2025-01-10T17:30:00%2B05:30', 1],
    ['?from=2026-01-01&to=2025-01-01', 0],
  ])('%s matches %i, and the total says so', async (query, count) => {
    const { leads, total } = await list(`${query}&limit=100`);
    expect(total).toBe(count);
    expect(leads).toHaveLength(count);
  });

  it('with the one lead that an id names, and only where the other filters match, too', async () => {
    const newest = (await list('?limit=1')).leads[0];
    const byJourney = `journeyId=${NEWEST}`;
    for (const query of [
      byJourney,
      `applicationId=${newest.applicationId}&status=${newest.status}`,
      `${byJourney}&loanType=${newest.loanType}&from=2025-01-01&page=1`,
    ]) {
      expect([query, await list(`?${query}`)]).toMatchObject([
        query,
        { leads: [newest], total: 1 },
      ]);
    }
    expect(await list(`?${byJourney}&page=2`)).toMatchObject({ leads: [], total: 1 });
    for (const query of [
      `${byJourney}&from=2026-01-01`,
      `${byJourney}&applicationId=app_x`,
      `applicationId=${foreign}`,
      'journeyId=%00',
    ]) {
      expect([query, await list(`?${query}`)]).toMatchObject([query, { leads: [], total: 0 }]);
    }
  });

  it('with no other partner’s leads', async () => {
    const page = await list('', partnerClient(stranger));
    expect(page.leads.map(({ applicationId }) => applicationId)).toEqual([foreign]);
    expect(page.total).toBe(1);
    expect(JSON.stringify(await list('?limit=100'))).not.toContain(foreign);
  });
});

it('GET /leads answers 400 naming every parameter that cannot be parsed', async () => {
  const { status, json } = await client.get('/leads?page=two&limit=1.5&from=soon&to=2025-02-30');
  expect(status).toBe(400);
  expect(json.error).toBe('Validation failed');
  expect(json.details.map(({ field }) => field).toSorted()).toEqual([
    'from',
    'limit',
    'page',
    'to',
  ]);
});

describe('GET /leads/{applicationId}/status', () => {
  it('answers 200 with the status, and follows it', async () => {
    const [{ applicationId }] = (await list('?limit=1')).leads;
    const path = `/leads/${applicationId}/status`;
    const { status, json } = await client.get(path);
    expect(status).toBe(200);
    const updatedAt = expect.any(String);
    expect(json.data).toEqual({ applicationId, status: 'INITIATED', updatedAt });
    const set = (to: string) => {
      const lead = { partnerId: service.partnerId, journeyId: NEWEST, status: to };
      const writer = service.get(LeadWriter);
      return service.get(Database).transaction((tx) => writer.setStatuses(tx, [lead]));
    };
    await set('OFFERS_RECEIVED');
    const { data } = (await client.get(path)).json;
    expect(data).toEqual({ applicationId, status: 'OFFERS_RECEIVED', updatedAt });
    // An instant loan's journey moves while its lead's status stays.
    expect(await set('OFFERS_RECEIVED')).toEqual([]);
    expect((await client.get(path)).json.data).toEqual(data);
  });

  it('answers 404 to another partner’s lead and to an id that there is not, in the same words', async () => {
    const refused = [];
    for (const id of [foreign, `app_${'0'.repeat(32)}`, 'app_x', '%00'])
      refused.push(await client.get(`/leads/${id}/status`));
    for (const { status, json } of refused) {
      expect(status).toBe(404);
      expect(json).toMatchObject({ success: false, code: 'application_not_found' });
      expect({ ...json, requestId: '' }).toEqual({ ...refused[0].json, requestId: '' });
    }
    const own = await partnerClient(stranger).get(`/leads/${foreign}/status`);
    expect(own.status).toBe(200);
    const attempt = service.get(Database).transaction((tx) =>
      service.get(LeadWriter).setStatuses(tx, [
        {
          partnerId: service.partnerId,
          journeyId: foreign.replace('app', 'jrn'),
          status: 'STOLEN',
        },
      ]),
    );
    await expect(attempt).rejects.toThrow('there is no lead');
  });
});
