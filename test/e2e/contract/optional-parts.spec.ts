import { beforeAll, describe, expect, it } from 'vitest';
import { Contract, type Node } from '../../support/contract.js';
import { loanRequest } from '../../support/loan-requests.js';
import { PARTNER_PREFIX, type PartnerClient, partnerClient } from '../../support/partner-client.js';
import type { TestService } from '../../support/service.js';
import { sharedService } from '../../support/shared-service.js';

let service: TestService;
let demo: PartnerClient;
let contract: Contract;

beforeAll(async () => {
  service = await sharedService();
  demo = partnerClient(service);
  contract = await Contract.of(service);
});

/** A right body with every optional object and list, of each call that has one. */
function wholeBodies(): Record<string, object> {
  const consent = {
    textVersion: '7',
    language: 'en',
    givenAt: service.now().toISOString(),
    lenderCodes: ['navdhara'],
  };
  return {
    initiateJourney: { ...loanRequest({ productCode: 'ONLINE_GOLD' }), consent },
    createInstantLoan: { ...loanRequest({ loanAmount: 20_000 }), consent },
    registerWebhook: { url: 'http://127.0.0.1:9/x', events: ['journey.completed'] },
  };
}

/** The paths of the optional objects and lists of a body, by their type. */
function optionalParts(schema: Node, at: string[] = [], isOptional = false): [string[], string][] {
  const node = resolved(schema);
  const type = node.type as unknown as string;
  const isPart = type === 'array' || type === 'object';
  const own: [string[], string][] = isPart && isOptional ? [[at, type]] : [];
  const required = (node.required ?? []) as unknown as string[];
  const variants = ['anyOf', 'oneOf', 'allOf'].flatMap(
    (name) => (node[name] ?? []) as unknown as Node[],
  );
  return [
    ...own,
    ...variants.flatMap((variant) => optionalParts(variant, at, isOptional)),
    ...Object.entries<Node>(node.properties ?? {}).flatMap(([name, inner]) =>
      optionalParts(inner, [...at, name], !required.includes(name)),
    ),
  ];
}

function resolved(schema: Node): Node {
  if (typeof schema.$ref !== 'string') return schema;
  const path = schema.$ref.slice(2).split('/');
  return resolved(
    path.reduce<Node>((node, name) => node[name], contract.document as unknown as Node),
  );
}

function replaced(body: object, [name, ...rest]: string[], value: unknown): object {
  const inner = (body as Record<string, unknown>)[name];
  expect([name, inner]).not.toEqual([name, undefined]);
  return { ...body, [name]: rest.length > 0 ? replaced(inner as object, rest, value) : value };
}

describe('an optional object or list of a body', () => {
  it('is refused by its field when it cannot be read, at every call', async () => {
    const bodies = wholeBodies();
    const seen = new Set<string>();
    for (const { operationId, path, method, node } of contract.operations) {
      const schema = (node.requestBody as Node | undefined)?.content['application/json'].schema;
      if (!schema) continue;
      for (const [at, type] of optionalParts(schema)) {
        const field = at.join('.');
        seen.add(`${operationId} ${field}`);
        const target = path.replace('/api/v1/partner', PARTNER_PREFIX);
        for (const value of ['x', '', 5, true, type === 'object' ? [{}] : {}]) {
          const body = replaced(bodies[operationId], at, value);
          const { status, json } = await demo.request(method, target, { body });
          const fields = json.details?.map((detail) => detail.field);
          expect([operationId, field, value, status, fields]).toEqual([
            operationId,
            field,
            value,
            400,
            [field],
          ]);
        }
      }
    }
    expect([...seen].toSorted()).toEqual([
      'createInstantLoan consent',
      'createInstantLoan consent.lenderCodes',
      'initiateJourney consent',
      'initiateJourney consent.lenderCodes',
      'initiateJourney goldLoanDetails',
      'registerWebhook events',
    ]);
  });
});
