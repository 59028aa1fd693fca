import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { CallbackReceiver } from '../../../examples/lender-check/wire/callback-receiver.ts';
import { type Call, LenderClient } from '../../../examples/lender-check/wire/lender-client.ts';
import { LenderKeys } from '../../../examples/lender-check/wire/lender-keys.ts';
import { ownKeys } from '../../../examples/lender-check/wire/own-keys.ts';
import { ofFile } from '../../support/of-file.js';
import { ReferenceLenders, shippedTerms } from '../../support/reference-lenders.ts';
import {
  contract,
  exampleNamed,
  filled,
  QUESTION_EXAMPLES,
  type Values,
} from './document-examples.js';

/** The lender's time. It begins with the examples' own, so none of their dates has passed. */
let now = Date.parse(exampleNamed('offers personal').value.usefulUntil as string);

const [shipped] = shippedTerms();
const FEE = { name: 'Processing fee', payee: 'LENDER', gstPercent: 18 } as const;
const STAMP_DUTY = { name: 'Stamp duty', payee: 'THIRD_PARTY', flat: 20_000 } as const;

/** With the charges of the examples: a payout and a paid fee must be exact. */
const LENDER = {
  ...shipped,
  products: {
    ...shipped.products,
    ONLINE_PERSONAL: {
      ...shipped.products.ONLINE_PERSONAL,
      fees: [{ ...FEE, percentOfPrincipal: 2 }, STAMP_DUTY],
      covers: { KYC: ['KYC', 'ESIGN'] as const },
    },
    ONLINE_INSTANT: { ...shipped.products.ONLINE_INSTANT, fees: [{ ...FEE, flat: 50_000 }] },
  },
};

const lender = ofFile(async () => {
  const port = await ReferenceLenders.port();
  const url = `http://127.0.0.1:${port}/${LENDER.code}`;
  const lenderKeys = new LenderKeys(`${url}/jwks.json`);
  const keys = await ownKeys(null);
  const address = { port: 0, host: '127.0.0.1', publicUrl: null };
  const receiver = new CallbackReceiver({ ...address, keys, lenderKeys });
  await receiver.start();
  const lenders = await ReferenceLenders.start({
    rinpathUrl: receiver.url,
    port,
    lenders: [LENDER],
    world: { now: () => new Date(now) },
  });
  const stop = () => Promise.all([lenders.stop(), receiver.stop()]);
  return { client: new LenderClient(url, keys[0], lenderKeys), stop };
});

const sent = new Set<string>();

/** @param meanwhile leads to the verdict: before it the answer is 202 */
async function ask(name: string, verdict: string, values: Values, meanwhile?: () => unknown) {
  sent.add(name);
  const example = exampleNamed(name);
  const key = `qst_${randomUUID()}`;
  const body = Buffer.from(JSON.stringify(filled(example, { questionId: key, ...values })));
  const call = { name, path: example.path, body, key };
  const first = await answerTo(call);
  await meanwhile?.();
  const last = meanwhile ? await answerTo(call) : first;
  const expected = [name, meanwhile ? 202 : 200, 200, verdict];
  expect([name, first.status, last.status, last.json.verdict]).toEqual(expected);
  return last.json;
}

async function answerTo(call: Call) {
  const { name, path: target, method = 'POST' } = call;
  const { status, headers, body, json, signature } = await lender.client.send(call);
  const seen = { method, target, status, headers: Object.fromEntries(headers), body };
  const text = body.toString();
  expect([name, text, signature.state, contract.problems(seen)]).toEqual([name, text, 'HOLDS', []]);
  return { status, json: json as Record<string, string> };
}

/** The first offer for an application. */
async function offered(name: string, { applicationId = `app_${randomUUID()}` } = {}) {
  const { offers } = await ask(name, 'OFFERED', { applicationId });
  const [{ reference }] = offers as unknown as { reference: string }[];
  return { applicationId, offerReference: reference };
}

/** As the applicant does on the lender's page. */
async function approve(url: string, ...steps: string[]): Promise<void> {
  for (const step of steps) {
    const body = new URLSearchParams({ step, decision: 'approve' });
    expect((await fetch(url, { method: 'POST', body, redirect: 'manual' })).status).toBe(303);
  }
}

it('the reference lender answers each example of a question with a verdict, as the document says', async () => {
  const offer = await offered('offers personal');
  await ask('quotes smaller', 'QUOTED', offer);
  const { applicationReference } = await ask('selections acknowledged', 'ACCEPTED', offer);
  const chosen = { ...offer, applicationReference };
  const { url } = await ask('sessions kyc', 'OPENED', chosen);
  await ask('steps kyc', 'PASSED', chosen, () => approve(url, 'KYC', 'ESIGN'));
  await ask('steps kyc', 'PASSED', { ...chosen, step: 'ESIGN', stepReference: 'rdr_2' });
  await ask('accounts savings', 'ACCEPTED', chosen);
  const { loanReference } = await ask('disbursements payOut', 'PAID', chosen, () => (now += 1_000));
  const loan = { name: 'loans', method: 'GET', path: `/loans/${loanReference}` } as const;
  expect(await answerTo(loan)).toMatchObject({ status: 200, json: { verdict: 'FOUND' } });
  await ask('cooling-off-exits leave', 'OPENED', { ...chosen, loanReference });

  await offered('offers gold');
  await ask('decisions feePaid', 'SANCTIONED', await offered('offers instant'));
  await ask('eligibilities example', 'LIKELY', {});

  await ask('withdrawals notChosen', 'NOTED', await offered('offers personal'));
  await ask('withdrawals instantNotChosen', 'NOTED', await offered('offers instant'));
  const first = await offered('offers personal');
  const refused = [first, await offered('offers personal', first)].values();
  const offerReference = () => refused.next().value!.offerReference;
  await ask('withdrawals offerRefused', 'NOTED', { ...first, offerReference });

  expect([...sent].toSorted()).toEqual(QUESTION_EXAMPLES.map(({ name }) => name).toSorted());
});

it('the reference lender’s page decides nothing after a withdrawal', async () => {
  const offer = await offered('offers personal');
  const { applicationReference } = await ask('selections acknowledged', 'ACCEPTED', offer);
  const chosen = { ...offer, applicationReference };
  const stepReference = `rdr_${randomUUID()}`;
  const { url } = await ask('sessions kyc', 'OPENED', { ...chosen, stepReference });
  await ask('withdrawals notChosen', 'NOTED', chosen);
  await approve(url, 'KYC');
  const page = await fetch(url);
  expect([page.status, await page.text()]).toEqual([410, expect.stringContaining('has expired')]);
});
