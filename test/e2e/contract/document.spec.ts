import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { withRecentMoments } from '../../../src/api-document/index.js';
import { ERROR_CATALOGUE, projectPath } from '../../../src/platform/index.js';
import { startJourney } from '../../support/journey-driver.js';
import { loanRequest } from '../../support/loan-requests.js';
import { partnerClient, type PartnerClient } from '../../support/partner-client.js';
import { Contract, type Node } from '../../support/contract.js';
import { lintDocument, NOTHING_TO_SAY } from '../../support/lint-document.js';
import { servedRoutes } from '../../support/served-routes.js';
import { serviceOfFile } from '../../support/shared-service.js';

const service = serviceOfFile();
let contract: Contract;

beforeAll(async () => {
  contract = await Contract.of(service);
});

/** Every partner route of Express, as `GET /api/v1/partner/leads`. */
function partnerRoutesServed(): string[] {
  return servedRoutes(service)
    .filter(({ path }) => path.startsWith('/api/v1/partner'))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
}

describe('GET /openapi.json', () => {
  it('names itself, its version and its address, and describes every route that partners can reach, and no other', () => {
    expect(contract.document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Rinpath partner API', version: '1.0.0' },
      servers: [{ url: service.baseUrl }],
    });
    const described = contract.operations.map(({ method, path }) => `${method} ${path}`);
    expect(described.toSorted()).toEqual(partnerRoutesServed().toSorted());
  });

  it('lists under each status codes of the catalogue, in snake case, that have this status', () => {
    const document = JSON.stringify(contract.document);
    for (const { operationId, node } of contract.operations) {
      for (const [status, response] of Object.entries(node.responses as Record<string, Node>)) {
        if (status === '200' || response.$ref) continue;
        const examples = Object.keys(response.content['application/json'].examples);
        const statuses = examples.map(
          (code) => ERROR_CATALOGUE[code as keyof typeof ERROR_CATALOGUE].status,
        );
        expect(new Set(statuses), `${operationId} ${status}`).toEqual(new Set([Number(status)]));
      }
    }
    // Only pages have links, forms and statements to confirm.
    const ofPages = ['link_not_found', 'route_not_found', 'form_expired', 'key_facts_changed'];
    // Errors that a documented call never returns.
    const ofOthers = [...ofPages, 'method_not_allowed'];
    const codes = Object.keys(ERROR_CATALOGUE).filter((code) => !ofOthers.includes(code));
    expect(codes.filter((code) => !document.includes(`"${code}":{"value"`))).toEqual([]);
    const names = Object.keys(ERROR_CATALOGUE);
    expect(names.filter((code) => !/^[a-z]+(_[a-z]+)*$/.test(code))).toEqual([]);
  });
});

describe('examples', () => {
  const media = (node: Node | undefined) => node?.content?.['application/json'];

  it('are as their schemas say, with nothing that the document does not know', () => {
    const problems = contract.operations.flatMap(({ path, method, node }) => {
      const at = ['paths', path, method.toLowerCase()];
      const places: [string[], Node | undefined][] = [
        [[...at, 'requestBody'], node.requestBody],
        ...Object.entries(node.responses as Record<string, Node>)
          .filter(([, response]) => !response.$ref)
          .map(([status, response]): [string[], Node] => [[...at, 'responses', status], response]),
      ];
      return places.flatMap(([pointer, place]) =>
        Object.values<Node>(media(place)?.examples ?? {}).flatMap(({ value }) =>
          contract.problemsAt([...pointer, 'content', 'application/json', 'schema'], value),
        ),
      );
    });
    expect(problems).toEqual([]);
  });

  it('of what is wrong with a body are what the service says', async () => {
    const partner = partnerClient(service);
    const journey = await startJourney(partner, { pan: 'SANDX0002A' });
    const { journeyId, ...path } = { journeyId: journey.id, subscriptionId: await hook(partner) };
    const { dob: _, ...customer } = loanRequest().customer;
    const wrong: Record<string, object> = {
      initiateJourney: {
        ...loanRequest(),
        loanAmount: '5000',
        customer: { ...customer, pan: 'x' },
      },
      submitJourneyAction: { kind: 'SELECT_OFFER', payload: {} },
      signalRedirectReturned: {},
      createInstantLoan: { mobile: '9876543210', customer: {} },
      registerWebhook: {},
      recoverWebhook: {},
    };
    for (const [operationId, body] of Object.entries(wrong)) {
      const { method, path: target, node } = contract.operation(operationId);
      const at = target
        .replace('{journeyId}', journeyId)
        .replace('{subscriptionId}', path.subscriptionId);
      const { json } = await partner.request(method, at, { body, session: journey.session });
      const examples = media((node.responses as Record<string, Node>)['400'])!.examples;
      const { requestId: _requestId, docs: _docs, ...failure } = json;
      expect({ operationId, ...failure }).toEqual({
        operationId,
        ...(examples.validation_failed.value as object),
      });
    }
  });
});

async function hook(partner: PartnerClient): Promise<string> {
  const body = { url: 'https://partner.example/hooks' };
  const { json } = await partner.post<{ subscriptionId: string }>('/webhooks', body);
  return json.data.subscriptionId;
}

describe('docs/openapi.json', () => {
  it('is what the service serves, with later moments; `npm run openapi` writes it', () => {
    const text = readFileSync(projectPath('docs/openapi.json'), 'utf8');
    const file = JSON.parse(withRecentMoments(text, service.now())) as object;
    const servers = [{ url: 'anywhere' }];
    expect({ ...file, servers }).toEqual({ ...contract.document, servers });
  });
});

describe('the linter', () => {
  it('has nothing to say under the recommended rules', () => {
    expect(lintDocument(contract.document)).toEqual(NOTHING_TO_SAY);
  });
});
