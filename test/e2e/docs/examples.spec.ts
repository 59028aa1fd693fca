import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectPath } from '../../../src/platform/index.js';
import { Contract, type Node } from '../../support/contract.js';
import { driveTo, readJourney } from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { partnerClient, type PartnerClient } from '../../support/partner-client.js';
import { serviceOfFile } from '../../support/shared-service.js';

const DAY_MS = 86_400_000;

const service = serviceOfFile();
let contract: Contract;
let partner: PartnerClient;

beforeAll(async () => {
  contract = await Contract.of(service);
  partner = partnerClient(service);
});

function jsonIn(markdown: string): unknown[] {
  return [...markdown.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text));
}

/** The JSON examples of a guide on the documentation site. */
async function shown<Examples extends unknown[] = Record<string, unknown>[]>(
  guide: string,
): Promise<Examples> {
  const response = await fetch(`${service.baseUrl}/docs/${guide}.md`);
  return jsonIn(await response.text()) as Examples;
}

const examplesOf = (body: Node) =>
  Object.entries(body.content['application/json'].examples) as [string, { value: object }][];

describe('the JSON examples', () => {
  it('are on these pages only, each sent by a test', () => {
    const counted = globSync('docs/{partners,lenders}/*.md', { cwd: projectPath('') })
      .map((path) => [basename(path), jsonIn(readFileSync(projectPath(path), 'utf8')).length])
      .filter(([, examples]) => examples !== 0);
    expect(Object.fromEntries(counted)).toEqual({
      'eligibility.md': 1,
      'errors.md': 1,
      'gold-loans.md': 2,
      'hosted-journey.md': 1,
      'instant-loans.md': 1,
      'webhooks.md': 4,
      'workbench.md': 1,
      'your-reference.md': 1,
      // headless-journey.spec.ts and lender-signing.spec.ts check these.
      'headless-journey.md': 14,
      'README.md': 3,
    });
  });

  it('start a hosted journey and an instant loan', async () => {
    const [hosted] = await shown('hosted-journey');
    const journey = await partner.post<{ hostedUrl: string }>('/journey/initiate', hosted);
    expect([journey.status, journey.json.data.hostedUrl]).toEqual([200, expect.any(String)]);
    const [instant] = await shown('instant-loans');
    const loan = await partner.post<{ redirectUrl: string }>('/instant-loans', instant);
    expect([loan.status, loan.json.data.redirectUrl]).toEqual([200, expect.any(String)]);
    const [referenced] = await shown('your-reference');
    expect((await partner.post('/instant-loans', referenced)).status).toBe(200);
  });

  it('get every verdict on eligibility', async () => {
    const [asked] = await shown('eligibility');
    const { status, json } = await partner.post<{ lenders: { verdict: string }[] }>(
      '/eligibility',
      asked,
    );
    const verdicts = json.data.lenders.map(({ verdict }) => verdict);
    expect([status, verdicts]).toEqual([200, ['UNLIKELY', 'LIKELY', 'UNKNOWN']]);
  });

  it('take a loan against gold to its branch', async () => {
    const [goldLoanDetails, action] = await shown('gold-loans');
    const body = { ...loanRequest({ productCode: 'ONLINE_GOLD' }), goldLoanDetails };
    const { json } = await partner.initiate(body);
    const { journeyId: id, journeySession: session } = json.data;
    await driveTo(partner, { id, session }, 'OFFER_SELECTED');
    const { selectedOffer } = await readJourney(partner, { id, session });
    const branch = selectedOffer!.branchLocations[0].id;
    const text = JSON.stringify(action).replace('{branchLocationId}', branch);
    const answer = await partner.post(`/journey/${id}/action`, text, { session });
    expect([answer.status, answer.json.data.nextAction]).toEqual([
      200,
      expect.objectContaining({ type: 'REDIRECT_TO_KYC' }),
    ]);
  });

  it('of webhooks are an event, a registration and the end of the events', async () => {
    const [event, leadEvent, registration, events] = await shown('webhooks');
    const documented = (name: string) => {
      const { post } = (contract.document.webhooks as Record<string, Node>)[name];
      const [[, example]] = examplesOf(post.requestBody);
      return example.value;
    };
    expect(event).toEqual(documented('journey.kyc_done'));
    expect(leadEvent).toEqual(documented('lead.status_changed'));
    const registered = await partner.post<{ subscriptionId: string }>('/webhooks', registration);
    expect(registered.status).toBe(200);
    const listed = await partner.get<{ subscriptions: object[] }>('/webhooks');
    expect(listed.json.data.subscriptions).toContainEqual(
      expect.objectContaining({
        subscriptionId: registered.json.data.subscriptionId,
        url: registration.url,
        subscribedEvents: registration.events,
      }),
    );
    const none = await partner.get('/events?events=journey.abandoned');
    const { next } = none.json.data;
    expect(next).toMatch(/^evc_/);
    const end = { ...events, data: { ...(events.data as object), next } };
    expect(none.json).toEqual(end);
  });

  it('show an invalid body and a link to the workbench', async () => {
    const [failure] = await shown('errors');
    const refused = await partner.post('/journey/initiate', {});
    const { details, requestId, docs } = refused.json;
    expect(refused.json).toEqual({ ...failure, details, requestId, docs });
    expect(docs!.endsWith('/docs/errors#validation_failed')).toBe(true);
    const [link] = await shown<[{ data: { url: string; expiresAt: string } }]>('workbench');
    const { json } = await partner.post<typeof link.data>('/workbench-links');
    const { url, expiresAt } = json.data;
    const ofService = link.data.url.replace('https://loans.example', service.baseUrl);
    expect(url.startsWith(ofService.replace('…', ''))).toBe(true);
    expect(json).toEqual({ ...link, data: { url, expiresAt } });
  });
});

describe('the examples of the served OpenAPI document', () => {
  it.each(['initiateJourney', 'createInstantLoan', 'registerWebhook'])(
    'of %s are accepted as they are',
    async (operationId) => {
      const { method, path, node } = contract.operation(operationId);
      for (const [name, { value }] of examplesOf(node.requestBody)) {
        const { status, json } = await partner.request(method, path, { body: value });
        expect([name, status, json.details]).toEqual([name, 200, undefined]);
      }
    },
  );

  it('have moments of yesterday, on the pages of the site too', async () => {
    const yesterday = new Date(service.now().getTime() - DAY_MS).toISOString().slice(0, 10);
    const { node } = contract.operation('initiateJourney');
    const given = `"givenAt": "${yesterday}T15:30:00+05:30"`;
    expect(JSON.stringify(node.requestBody, null, 1)).toContain(given);
    const page = await fetch(`${service.baseUrl}/docs/reference/initiateJourney.md`);
    expect(await page.text()).toContain(given);
  });
});
