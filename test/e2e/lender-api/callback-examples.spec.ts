import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CallKind, questionId, type QuestionKind } from '../../../src/lenders/index.js';
import { dayInIndia } from '../../../src/loans/index.js';
import { eventuallyFound } from '../../support/eventually.js';
import {
  ApplicantBrowser,
  applyForInstantLoan,
  atSandboxGateway,
  openGateway,
} from '../../support/instant-loans.js';
import type { LoanRequestOptions } from '../../support/loan-requests.js';
import { ofFile } from '../../support/of-file.js';
import { DAY } from '../journeys/journey-bench.js';
import { CallbackBench, type TestJourney } from './callback-bench.js';
import {
  CALLBACK_EXAMPLES,
  contract,
  type Example,
  exampleNamed,
  filled,
  type Values,
} from './document-examples.js';

const bench = ofFile(() => CallbackBench.open());

afterEach(() => {
  vi.restoreAllMocks();
});

async function tell(example: Example, values: Values) {
  const id = bench.newId();
  const now = bench.journeys.service.now();
  const validUntil = new Date(now.getTime() + 30 * DAY).toISOString();
  const dates = { validUntil, paidAt: now.toISOString(), day: dayInIndia(now) };
  const body = filled(example, { id, answerId: id, ...dates, ...values });
  return { id, response: await bench.lender.tell(example.path.split('/').at(-1)!, body) };
}

/** What an example needs: values for its fields, and the state in which it leaves its journey. */
interface Prepared {
  readonly values: Values;
  readonly journey?: TestJourney;
  readonly next?: string;
}

/** Of a question that the lender has been asked. */
async function asked(subjectId: string, kind: QuestionKind): Promise<Values> {
  const { reference } = await eventuallyFound(async () => {
    const rows = await bench.journeys.query<{ reference: string }>(
      `SELECT reference FROM lender_questions
       WHERE subject_id = $1 AND kind = $2 AND lender_code = 'navdhara'`,
      [subjectId, kind],
    );
    return rows.at(0);
  });
  const loanReference = `LOAN-${subjectId}`;
  return { questionId: questionId(subjectId, kind, reference), loanReference };
}

async function chosen(options: LoanRequestOptions = {}): Promise<TestJourney> {
  const journey = await bench.journeys.startWithOffers(options);
  await journey.select();
  return journey;
}

/** A question that a caller waits for is not stored; only its journey must be known. */
const direct = (kind: CallKind) => async (): Promise<Prepared> => {
  const { id } = await chosen();
  return { values: { questionId: questionId(id, kind, '1') } };
};

async function awaitsPayout() {
  bench.keepSilentOn('DISBURSEMENT');
  const journey = await chosen();
  await journey.goOnTo('DISBURSEMENT_PENDING');
  return { journey, values: await asked(journey.id, 'DISBURSEMENT'), next: 'SANCTIONED' };
}

async function paidOut(): Promise<Prepared> {
  const { journey, values, next } = await awaitsPayout();
  await tell(exampleNamed('answers DISBURSEMENTS'), values);
  await journey.reaches(next);
  const { applicationId } = await bench.applicationOf(journey);
  return { values: { applicationId, loanReference: values.loanReference } };
}

const PREPARE: Readonly<Record<string, () => Promise<Prepared>>> = {
  'answers OFFERS': async () => {
    bench.keepSilentOn('OFFERS');
    const journey = await bench.journeys.start();
    return { journey, values: await asked(journey.id, 'OFFERS'), next: 'OFFERS_RECEIVED' };
  },
  'answers QUOTES': direct('QUOTE'),
  'answers SELECTIONS': direct('SELECTION'),
  'answers SESSIONS': direct('SESSION'),
  'answers ACCOUNTS': direct('ACCOUNT'),
  'answers STEPS': async () => {
    const journey = await bench.atKyc();
    return { journey, values: await asked(journey.id, 'KYC'), next: 'BANK_ACCOUNT_PENDING' };
  },
  'answers DISBURSEMENTS': awaitsPayout,
  'answers DECISIONS': async () => {
    bench.keepSilentOn('DECISION');
    const { json } = await applyForInstantLoan(bench.journeys.demo);
    const browser = new ApplicantBrowser();
    await atSandboxGateway(browser, await openGateway(browser, json.data.redirectUrl), 'pay');
    return { values: await asked(json.data.journeyId, 'DECISION') };
  },
  'answers WITHDRAWALS': async () => {
    bench.keepSilentOn('WITHDRAWAL');
    // KYC is refused.
    const journey = await chosen({ pan: 'SANDX0005A' });
    await journey.goOnTo('REJECTED');
    return { values: await asked(journey.id, 'WITHDRAWAL') };
  },
  'offer-revisions appraised': async () => {
    const journey = await chosen({ productCode: 'ONLINE_GOLD' });
    return { journey, values: await bench.applicationOf(journey), next: 'OFFERS_RECEIVED' };
  },
  'loan-events reversed': paidOut,
  'loan-events exited': paidOut,
  'loan-events transferred': paidOut,
  'statements oneDay': paidOut,
};

const NOT_ASKED = 'answers COOLING_OFF_EXITS';

describe('the example of a callback', () => {
  it.each(CALLBACK_EXAMPLES.filter(({ name }) => name !== NOT_ASKED))(
    '$name is received',
    async (example) => {
      const { values, journey, next } = await PREPARE[example.name]();
      const { id, response } = await tell(example, values);
      expect(response).toEqual({ status: 202, json: { id, status: 'RECEIVED' }, isSigned: true });
      const body = ['responses', '202', 'content', 'application/json', 'schema'];
      const schema = ['paths', example.path, 'post', ...body];
      expect(contract.problemsAt(schema, response.json)).toEqual([]);
      if (next) await journey!.reaches(next);
    },
  );

  it(`${NOT_ASKED} is refused: Rinpath does not ask that question yet`, async () => {
    const { id } = await chosen();
    const values = { questionId: `${id}:COOLING_OFF_EXIT:1` };
    const { response } = await tell(exampleNamed(NOT_ASKED), values);
    const error = { code: 'not_found', message: 'This lender was not asked about this question' };
    expect(response).toEqual({ status: 404, json: { error }, isSigned: true });
  });
});
