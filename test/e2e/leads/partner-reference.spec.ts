import { beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/platform/index.js';
import { driveTo, readJourney, startJourney } from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { type PartnerClient, partnerClient } from '../../support/partner-client.js';
import { openRedirect } from '../../support/redirect-visit.js';
import { serviceOfFile, sharedService } from '../../support/shared-service.js';

interface Referenced {
  clientReferenceId?: string;
  metadata?: Record<string, string>;
}

const OWN: Referenced = {
  clientReferenceId: 'order-A1042',
  metadata: { campaign: 'diwali', note: '' },
};

const service = serviceOfFile();
let partner: PartnerClient;
let stranger: PartnerClient;

beforeAll(async () => {
  partner = partnerClient(service);
  stranger = partnerClient(await sharedService());
});

async function start(reference: object, by = partner) {
  const { status, json } = await by.initiate({ ...loanRequest(), ...reference });
  expect([status, json.error]).toEqual([200, undefined]);
  return json.data;
}

async function listed(reference: string, by = partner): Promise<string[]> {
  const { json } = await by.get<{ leads: { applicationId: string }[] }>(
    `/leads?clientReferenceId=${encodeURIComponent(reference)}`,
  );
  return json.data.leads.map(({ applicationId }) => applicationId);
}

async function refusal(reference: object) {
  const { status, json } = await partner.initiate({ ...loanRequest(), ...reference });
  return [status, json.details?.map(({ field, message }) => `${field} ${message}`)];
}

describe('a partner’s reference and metadata', () => {
  it('come back with the journey, its lead, the lead’s status and its events, to this partner alone', async () => {
    const { journeyId: id, applicationId, journeySession: session } = await start(OWN);
    await start(OWN, stranger);
    expect(await readJourney(partner, { id, session })).toMatchObject(OWN);
    const status = await partner.get<Referenced>(`/leads/${applicationId}/status`);
    expect(status.json.data).toMatchObject(OWN);
    expect(await listed(OWN.clientReferenceId!)).toEqual([applicationId]);
    expect(await listed('order-A1043')).toEqual([]);
    const { json } = await partner.get<{ events: { journeyId: string; data: Referenced }[] }>(
      '/events',
    );
    const own = json.data.events.filter(({ journeyId }) => journeyId === id);
    expect(own.map(({ data }) => data.clientReferenceId)).toContain(OWN.clientReferenceId);
  });

  it('come back with an instant loan’s lead', async () => {
    const body = { mobile: '9876543210', customer: { pan: 'ABCDE1234F', firstName: 'Asha' } };
    const reference = { ...OWN, clientReferenceId: 'instant-7' };
    const { json } = await partner.post<{ applicationId: string }>('/instant-loans', {
      ...body,
      ...reference,
    });
    const { applicationId } = json.data;
    expect(await listed('instant-7')).toEqual([applicationId]);
    const status = await partner.get(`/leads/${applicationId}/status`);
    expect(status.json.data).toMatchObject(reference);
  });

  it('are absent where none was sent', async () => {
    const { journeyId: id, journeySession: session } = await start({});
    const journey = await readJourney(partner, { id, session });
    expect(journey).not.toHaveProperty('clientReferenceId');
    expect(journey).not.toHaveProperty('metadata');
  });

  it('are stored sealed', async () => {
    const secret = { clientReferenceId: 'findme-ref', metadata: { findme: 'findme-value' } };
    const { journeyId } = await start(secret);
    const tables = ['journeys', 'applications', 'journey_audit', 'partner_requests'];
    for (const table of tables) {
      const rows = await service
        .get(Database)
        .query<{ row: string }>(`SELECT t::text AS row FROM ${table} AS t`);
      expect(rows.filter(({ row }) => row.includes('findme'))).toEqual([]);
    }
    expect(journeyId).toMatch(/^jrn_/);
  });

  it.each([
    [{ clientReferenceId: 'x'.repeat(65) }, 'clientReferenceId'],
    [{ clientReferenceId: 'ABCDE1234F' }, 'clientReferenceId'],
    [{ clientReferenceId: 'for +91 98765-43210' }, 'clientReferenceId'],
    [{ clientReferenceId: '२३४१ २३४१ २३४६' }, 'clientReferenceId'],
    [{ metadata: { pan: 'abcde 1234 f' } }, 'metadata'],
    [{ metadata: { '9876543210': 'mobile' } }, 'metadata'],
    [{ metadata: { note: 5 } }, 'metadata'],
    [{ metadata: { note: 'x'.repeat(501) } }, 'metadata'],
    [{ metadata: ['a'] }, 'metadata'],
    [
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, 'v'])) },
      'metadata',
    ],
    [{ returnUrl: 'https://elsewhere.example/' }, 'returnUrl'],
  ])('are refused: %j', async (reference, field) => {
    const [status, details] = await refusal(reference);
    expect([status, details]).toEqual([400, [expect.stringMatching(`^${field} `)]]);
  });
});

describe('a key that asks for unique references', () => {
  it('refuses the second use of a reference, also at the same moment, and other partners may use it', async () => {
    const { partnerId } = service;
    const own = `UPDATE api_keys SET unique_client_references = $2, version = version + 1 WHERE partner_id = $1`;
    await service.get(Database).query(own, [partnerId, true]);
    const reference = { clientReferenceId: 'once-1' };
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => partner.initiate({ ...loanRequest(), ...reference })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([200, 400, 400, 400, 400, 400]);
    expect(await refusal(reference)).toEqual([
      400,
      ['clientReferenceId was used before; send another one'],
    ]);
    await start(reference, stranger);
    await start({});
    await start({});
    await service.get(Database).query(own, [partnerId, false]);
  });
});

describe('a return address for one loan', () => {
  it('is where its applicant returns, when the partner lists its origin', async () => {
    const database = service.get(Database);
    const origins = `UPDATE partners SET return_origins = $2 WHERE id = $1`;
    await database.query(origins, [service.partnerId, ['https://app.example']]);
    const { journeyId: id, journeySession: session } = await start({
      returnUrl: 'https://app.example/back?order=7',
    });
    const journey = { id, session };
    await driveTo(partner, journey, 'KYC_PENDING');
    const { url } = (await readJourney(partner, journey)).currentNextAction;
    const page = (await openRedirect(url!)).headers.get('location')!;
    const decided = await fetch(page, {
      method: 'POST',
      body: new URLSearchParams({ decision: 'approve' }),
      redirect: 'manual',
    });
    expect(decided.headers.get('location')).toBe(
      `https://app.example/back?order=7&journeyId=${id}&step=KYC`,
    );
    expect(await refusal({ returnUrl: 'https://app.example.evil.example/' })).toEqual([
      400,
      ['returnUrl must be a URL of one of https://app.example'],
    ]);
  });
});

describe('409: the wrong step', () => {
  it('names the journey’s state and its next action', async () => {
    const journey = await driveTo(partner, await startJourney(partner), 'KYC_PENDING');
    const { status, json } = await partner.action(
      journey.id,
      journey.session,
      'SUBMIT_BANK_ACCOUNT',
      {
        accHolderName: 'Asha Verma',
        acctype: 'SAVINGS',
        accNo: '123456789012',
        ifscCode: 'HDFC0001234',
      },
    );
    expect([status, json]).toEqual([
      409,
      expect.objectContaining({
        code: 'wrong_step',
        journey: { state: 'KYC_PENDING', nextAction: 'REDIRECT_TO_KYC' },
        requestId: expect.stringMatching(/^req_/),
        docs: `${service.baseUrl}/docs/errors#wrong_step`,
      }),
    ]);
  });
});
