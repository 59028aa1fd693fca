import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importJWK, type JWK } from 'jose';
import { verifyDetached } from '../../../examples/lender/detached-jws.ts';
import { projectPath } from '../../../src/platform/index.js';
import { account, APPLICANT, CONSENT, LenderBench, sessionFields } from './lender-bench.js';
import type { Json, LenderAnswer } from './rinpath-stand-in.js';

interface Document {
  readonly components: { readonly schemas: Record<string, object> };
}

interface Vectors {
  readonly keys: Record<string, JWK>;
  readonly vectors: readonly {
    readonly key: string;
    readonly body: string;
    readonly protectedHeader: Json;
    readonly signature: string;
  }[];
}

/** Everything that the reference lender says is as the protocol's document has it. */
describe('the reference lender keeps to the document', () => {
  const bench = new LenderBench({ isTold: true });
  const path = projectPath('docs/lenders/openapi.json');
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(JSON.parse(readFileSync(path, 'utf8')) as Document, 'document');

  beforeAll(() => bench.start());
  afterAll(() => bench.stop());

  const expectSchema = (name: string, body: Json) => {
    const validate = ajv.getSchema(`document#/components/schemas/${name}`)!;
    expect({ body, errors: validate(body) ? [] : validate.errors }).toEqual({ body, errors: [] });
  };
  const expectVerdict = (name: string, answer: LenderAnswer, word: string) => {
    expect(answer.body).toMatchObject({ verdict: word });
    expectSchema(`${name}Verdict`, answer.body);
  };

  it('over a whole loan', async () => {
    expectVerdict('Offers', await bench.askOffers(), 'OFFERED');
    const chosen = await bench.choose();
    const { about } = chosen;
    const amount = { loanAmount: 10_000_000 };
    expectVerdict('Quotes', await bench.ask('quotes', { ...about, ...amount }), 'QUOTED');
    const choice = { ...about, ...amount, keyFactsHash: 'e'.repeat(64) };
    expectVerdict('Selections', await bench.ask('selections', choice), 'ACCEPTED');
    const paid = await bench.choose();
    const opened = await bench.ask('sessions', sessionFields(paid, 'KYC'));
    expectVerdict('Sessions', opened, 'OPENED');
    for (const step of ['MANDATE', 'ESIGN']) {
      const fields = { ...paid.about, step, stepReference: `documented-${step}`, attempt: 1 };
      expectVerdict('Steps', await bench.ask('steps', fields), 'PASSED');
    }
    const accepted = await bench.ask('accounts', { ...paid.about, account: account('123456789') });
    expectVerdict('Accounts', accepted, 'ACCEPTED');
    const pending = await bench.ask('disbursements', bench.payoutFields(paid));
    expectSchema('Pending', pending.body);
    const payout = await bench.payOut(paid);
    expectVerdict('Disbursements', payout, 'PAID');
    const { loanReference } = payout.body;
    const exit = { loanReference, requestedAt: new Date().toISOString() };
    expectVerdict('CoolingOffExits', await bench.ask('cooling-off-exits', exit), 'OPENED');
    expectVerdict('Loans', await bench.rinpath.loan('navdhara', loanReference as string), 'FOUND');
  });

  it('on gold, on an instant loan, and when nothing comes of it', async () => {
    const gold = { grams: '42.5', items: ['chain'] };
    const offered = await bench.askOffers({ productCode: 'ONLINE_GOLD', gold });
    expectVerdict('Offers', offered, 'OFFERED');
    const instant = { productCode: 'ONLINE_INSTANT', loanAmount: 2_500_000 };
    const subject = { kind: 'INSTANT_LOAN', id: 'app_1' };
    expectVerdict('Offers', await bench.askOffers({ ...instant, subject }), 'OFFERED');
    const asked = { ...instant, subject, applicant: APPLICANT, consent: CONSENT };
    expectVerdict('Decisions', await bench.ask('decisions', asked), 'SANCTIONED');
    expectVerdict('Offers', await bench.askOffers({ loanAmount: 1 }), 'DECLINED');
    const withdrawal = await bench.ask('withdrawals', { reason: 'ENDED' });
    expectVerdict('Withdrawals', withdrawal, 'NOTED');
    expectSchema('ErrorBody', (await bench.askOffers({}, { signature: null })).body);
  });

  it('in the signatures that it takes: the published vectors', async () => {
    const file = projectPath('docs/lenders/signing-vectors.json');
    const { keys, vectors } = JSON.parse(readFileSync(file, 'utf8')) as Vectors;
    expect(vectors.length).toBeGreaterThan(0);
    for (const { key, body, protectedHeader, signature } of vectors) {
      const { d: _, ...published } = keys[key];
      const publicKey = await importJWK(published);
      const verify = (bytes: string) =>
        verifyDetached(signature, Buffer.from(bytes), () => publicKey);
      expect(await verify(body)).toEqual(protectedHeader);
      await expect(verify(`${body} `)).rejects.toThrow('the signature does not hold');
    }
  });

  it('in what it tells', async () => {
    const chosen = await bench.choose();
    await bench.sign(chosen);
    const { loanReference } = (await bench.payOut(chosen)).body;
    const lender = 'navdhara';
    const { applicationId } = (await bench.choose()).about;
    const revision = { lender, applicationId, reason: 'RATE_CHANGED', annualRatePercent: '12.49' };
    await bench.admin('POST', '/offer-revisions', revision);
    await bench.admin('POST', '/loan-events', { lender, loanReference, event: 'REVERSED' });
    await bench.admin('POST', '/statements', { lender, day: '2020-01-01' });
    await bench.fault('offers', 'twice');
    await bench.askOffers();
    const schemas: Record<string, string> = {
      answers: 'Answers',
      'offer-revisions': 'OfferRevisions',
      'loan-events': 'LoanEvents',
      statements: 'Statements',
    };
    const paths = Object.keys(schemas);
    const toldPaths = () => new Set(bench.rinpath.told.map((message) => message.path));
    await expect.poll(() => [...toldPaths()].toSorted()).toEqual(paths.toSorted());
    for (const message of bench.rinpath.told) {
      expectSchema(`${schemas[message.path]}Body`, message.body);
    }
  });
});
