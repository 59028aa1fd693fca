import { randomUUID } from 'node:crypto';
import type { Change, Draft, Incoming, Json } from './middleman.js';

export interface BrokenLender {
  /** What it does wrong. */
  readonly name: string;
  /** The cases that see it, and no others. */
  readonly fails: readonly string[];
  readonly change?: Change;
  readonly passesUnvisitedSteps?: boolean;
}

const AN_HOUR_S = 3_600;
const DAY_MS = 86_400_000;
const OWN_OFFERS = /^http:\/\/127\.0\.0\.1:\d+\/\w+\/offers$/;

function answers(name: string, fails: string[], answer: Change['answer']): BrokenLender {
  return { name, fails, change: { answer } };
}

function takes(name: string, fails: string[], request: Change['request']): BrokenLender {
  return { name, fails, change: { request } };
}

function tells(name: string, fails: string[], callback: Change['callback']): BrokenLender {
  return { name, fails, change: { callback } };
}

/** Only answers that mean something. */
const verdicts = (edit: (draft: Draft) => void) => (draft: Draft) => {
  if (draft.status === 200 || draft.status === 202) edit(draft);
};

const isNow = ({ claims }: Incoming) =>
  Math.abs(Number(claims?.['iat']) - Date.now() / 1000) < AN_HOUR_S / 2;

const ANSWER_SIGNATURES: readonly BrokenLender[] = [
  answers(
    'leaves its verdicts unsigned',
    ['RLP-020'],
    verdicts((draft) => (draft.isSigned = false)),
  ),
  answers(
    'signs with a key that is not published',
    ['RLP-021'],
    verdicts((draft) => (draft.claims['kid'] = 'retired')),
  ),
  answers(
    'signs the body before it is written',
    ['RLP-022'],
    verdicts((draft) => (draft.signedText = JSON.stringify(draft.body, null, 2))),
  ),
  answers(
    'has a clock that is an hour slow',
    ['RLP-023'],
    verdicts((draft) => (draft.claims['iat'] = Number(draft.claims['iat']) - AN_HOUR_S)),
  ),
  answers(
    'signs for the address behind its proxy',
    ['RLP-024'],
    verdicts((draft) => (draft.claims['htu'] = 'http://gateway.internal/offers')),
  ),
  answers(
    'signs the status as text',
    ['RLP-025'],
    verdicts((draft) => {
      if (draft.status === 202) draft.claims['status'] = '202';
    }),
  ),
  answers(
    'binds its answers to its own ids',
    ['RLP-026'],
    verdicts((draft) => (draft.claims['req'] = randomUUID())),
  ),
  answers(
    'has one jti for all its answers',
    ['RLP-027'],
    verdicts((draft) => (draft.claims['jti'] = 'always-the-same')),
  ),
];

const REQUEST_SIGNATURES: readonly BrokenLender[] = [
  takes(
    'takes requests without a signature',
    ['RLP-030'],
    ({ claims, headers }) => claims === null && headers['x-jws-signature'] === undefined,
  ),
  takes(
    'reads the signature’s header and checks nothing else',
    ['RLP-031', 'RLP-032'],
    ({ claims, holds, body, ...rest }) => {
      const isSound = claims !== null && claims['b64'] === false && body !== null;
      return isSound && !holds && isNow({ claims, holds, body, ...rest });
    },
  ),
  takes(
    'takes signatures of any time',
    ['RLP-033'],
    (incoming) => incoming.holds && !isNow(incoming),
  ),
  takes('takes a jti as often as it comes', ['RLP-034'], ({ holds, claims, headers, ...rest }) => {
    const htu = String(claims?.['htu']);
    const isHere = OWN_OFFERS.test(htu) && claims?.['htm'] === rest.method;
    const isRight = headers['rlp-version'] === '1' && rest.call === 'offers';
    return holds && isHere && isRight && isNow({ holds, claims, headers, ...rest });
  }),
  takes('takes signatures for another address', ['RLP-035'], ({ holds, claims, call }) => {
    const htu = String(claims?.['htu']);
    return holds && call === 'offers' && !OWN_OFFERS.test(htu);
  }),
  takes(
    'takes signatures for another method',
    ['RLP-036'],
    ({ holds, claims, method }) => holds && claims?.['htm'] !== method,
  ),
  answers('keeps the keys of requests that it refused', ['RLP-038'], (draft, context) => {
    const { questionId } = draft.request as { questionId?: string };
    if (questionId === undefined) return;
    if (draft.status === 401) context.set(questionId, true);
    else if (context.has(questionId)) fail(draft, 409, 'key_reused');
  }),
];

function fail(draft: Draft, status: number, code: string): void {
  draft.status = status;
  draft.body = { error: { code, message: 'It is not taken.' } };
}

const TRANSPORT: readonly BrokenLender[] = [
  answers('answers a loan that it does not know with 404', ['RLP-001', 'RLP-162'], (draft) => {
    if (draft.body['verdict'] === 'NOT_FOUND') fail(draft, 404, 'not_found');
  }),
  {
    name: 'publishes its private key',
    fails: ['RLP-002'],
    change: { jwks: ({ keys }) => keys.forEach((key) => (key['d'] = 'c2VjcmV0')) },
  },
  answers(
    'answers as text',
    ['RLP-003'],
    verdicts((draft) => (draft.headers['content-type'] = 'text/plain')),
  ),
  answers(
    'answers 500 to what it cannot read',
    ['RLP-005', 'RLP-006', 'RLP-007', 'RLP-010', 'RLP-015'],
    (draft) => {
      if (draft.status === 400) fail(draft, 500, 'internal_error');
    },
  ),
  answers('refuses fields that it does not know', ['RLP-008'], (draft) => {
    if ('addedLater' in draft.request) fail(draft, 400, 'invalid_request');
  }),
  answers('refuses words that it does not know', ['RLP-009', 'RLP-143'], (draft) => {
    if (JSON.stringify(draft.request).includes('ADDED_LATER')) fail(draft, 400, 'invalid_request');
  }),
  answers('has errors of its own form', ['RLP-010', 'RLP-016'], (draft) => {
    if (draft.status >= 400) draft.body = { message: 'It is not taken.', status: draft.status };
  }),
  answers('repeats what it was sent', ['RLP-017'], (draft) => {
    const error = draft.body['error'] as Json | undefined;
    const { pan } = (draft.request['applicant'] ?? {}) as { pan?: string };
    if (error && pan) error['message'] = `The application of ${pan} is not taken.`;
  }),
];

const MEMORY: readonly BrokenLender[] = [
  answers(
    'answers an old key with the old verdict, whatever is asked',
    ['RLP-046', 'RLP-047', 'RLP-070'],
    old,
  ),
  answers(
    'has one answerId for all quotes',
    ['RLP-050'],
    verdicts((draft) => {
      if (draft.call === 'quotes') draft.body['answerId'] = 'the-quote';
    }),
  ),
  answers(
    'decides a choice anew each time',
    ['RLP-051', 'RLP-083', 'RLP-084'],
    verdicts((draft) => {
      if (draft.call === 'selections') draft.body['answerId'] = randomUUID();
    }),
  ),
];

function old(draft: Draft, context: Map<string, unknown>): void {
  const key = String(draft.request['questionId']);
  if (draft.status === 200) context.set(key, draft.body);
  if (draft.status !== 409) return;
  draft.status = 200;
  draft.body = context.get(key) as Json;
}

type Offer = Json & { fees: Json[]; repayment: Json; rate: Json; goldValuation?: Json };

/** Changes the first offers, and not the quotes. */
function offers(name: string, fails: string[], edit: (offer: Offer) => void): BrokenLender {
  return answers(name, fails, (draft) => {
    if (draft.call === 'offers' && draft.status === 200) {
      for (const offer of (draft.body['offers'] ?? []) as Offer[]) edit(offer);
    }
  });
}

const OFFERS: readonly BrokenLender[] = [
  offers('leaves the name of a fee out', ['RLP-055'], ({ fees }) =>
    fees.forEach((fee) => delete fee['name']),
  ),
  offers('is two rupees off in its instalments', ['RLP-057'], ({ repayment }) => {
    repayment['instalment'] = Number(repayment['instalment']) + 200;
  }),
  offers('is two hundredths of a point off in its APR', ['RLP-058'], (offer) => {
    offer['apr'] = (Number(offer['apr']) + 0.02).toFixed(2);
  }),
  offers('is a paisa off in its net payout', ['RLP-059', 'RLP-122'], (offer) => {
    offer['netPayout'] = Number(offer['netPayout']) + 1;
  }),
  offers('stands by its offers for a day', ['RLP-060'], (offer) => {
    const week = Date.parse(String(offer['validUntil']));
    offer['validUntil'] = new Date(week - 6 * DAY_MS).toISOString();
  }),
  offers('has a range that is none', ['RLP-061'], (offer) => {
    offer['maximumAmount'] = Number(offer['principal']) - 1;
  }),
  offers('has more tax than fee', ['RLP-062'], ({ fees }) =>
    fees.forEach((fee) => (fee['gst'] = Number(fee['amount']) + 1)),
  ),
  offers('has a floating rate that does not add up', ['RLP-064'], (offer) => {
    const benchmark = { name: 'RBI repo rate', percent: '1' };
    const floating = { kind: 'FLOATING', benchmark, spreadPercent: '1', resetEveryMonths: 3 };
    offer.rate = { ...offer.rate, ...floating };
  }),
  offers('understates the loan-to-value ratio', ['RLP-066'], ({ goldValuation }) => {
    if (goldValuation) goldValuation['ltvPercent'] = '1';
  }),
  answers('declines with an error', ['RLP-067', 'RLP-068', 'RLP-133'], (draft) => {
    if (draft.body['verdict'] === 'DECLINED') fail(draft, 422, 'declined');
  }),
];

const CHOICE: readonly BrokenLender[] = [
  answers('quotes under a reference of its own', ['RLP-071'], (draft) => {
    const offer = draft.body['offer'] as Json | undefined;
    if (draft.call === 'quotes' && offer) offer['reference'] = 'quote-of-the-day';
  }),
  answers('is off by more than a rupee in its quotes', ['RLP-072'], (draft) => {
    const offer = draft.body['offer'] as Offer | undefined;
    if (offer) offer.repayment['instalment'] = Number(offer.repayment['instalment']) + 101;
  }),
  answers('answers 404 where an offer is gone', ['RLP-073', 'RLP-074'], (draft) => {
    const isGone = draft.body['verdict'] === 'GONE';
    if (draft.call === 'quotes' && isGone) fail(draft, 404, 'not_found');
  }),
  answers('signs another statement', ['RLP-082'], (draft) => {
    const signature = draft.body['keyFactsSignature'];
    if (typeof signature !== 'string') return;
    const [head, , value] = signature.split('.');
    const other = Buffer.from('0'.repeat(64)).toString('base64url');
    draft.body['keyFactsSignature'] = `${head}.${other}.${value}`;
  }),
  answers('takes every choice', ['RLP-085', 'RLP-086', 'RLP-087', 'RLP-088', 'RLP-145'], (draft) =>
    accept(draft, () => true),
  ),
  answers('takes what was withdrawn', ['RLP-145'], (draft) =>
    accept(draft, (reason) => reason === 'WITHDRAWN'),
  ),
];

function accept(draft: Draft, isTaken: (reason: unknown) => boolean): void {
  const { answerId, verdict, reason } = draft.body;
  if (draft.call !== 'selections' || verdict !== 'GONE' || !isTaken(reason)) return;
  draft.body = { answerId, verdict: 'ACCEPTED', applicationReference: `for-${String(answerId)}` };
}

const STEPS: readonly BrokenLender[] = [
  answers('opens sessions that have run out', ['RLP-091'], (draft) => {
    if (draft.body['verdict'] === 'OPENED' && draft.call === 'sessions') {
      const end = Date.parse(String(draft.body['expiresAt']));
      draft.body['expiresAt'] = new Date(end - DAY_MS).toISOString();
    }
  }),
  {
    name: 'passes steps that nobody visited',
    fails: ['RLP-096'],
    passesUnvisitedSteps: true,
  },
  answers('has no patience with applicants', ['RLP-097'], (draft) => {
    if (draft.call === 'steps' && draft.status === 202) fail(draft, 503, 'unavailable');
  }),
  {
    name: 'shows the KYC as evidence of the mandate',
    fails: ['RLP-101'],
    change: {
      answer: ({ body }) => showKyc(body),
      callback: ({ body }) => showKyc((body['answer'] ?? {}) as Json),
    },
  },
  { name: 'keeps its visitors', fails: ['RLP-104'], change: { keepsVisitors: true } },
];

function showKyc(verdict: Json): void {
  const evidence = verdict['evidence'] as Json | undefined;
  if (evidence?.['step'] !== 'MANDATE') return;
  verdict['evidence'] = { step: 'KYC', kycReference: evidence['mandateReference'] };
}

function paid({ body, request }: Draft): Json {
  return {
    answerId: body['answerId'],
    verdict: 'PAID',
    amount: request['netPayout'],
    utr: 'TARA0000000001',
    paidAt: new Date().toISOString(),
    loanReference: 'loan-1',
    accountLastFour: '7890',
  };
}

function penalty(draft: Draft): void {
  if (draft.call !== 'cooling-off-exits' || draft.body['verdict'] !== 'OPENED') return;
  draft.body['amount'] = Math.round(Number(draft.body['amount']) * 1.05);
}

const ENDINGS: readonly BrokenLender[] = [
  answers('pays out before the agreement is signed', ['RLP-121'], (draft) => {
    if (draft.body['reason'] !== 'DOCUMENTS_INCOMPLETE') return;
    draft.body = paid(draft);
  }),
  answers('pays out what it is told to', ['RLP-126'], (draft) => {
    if (draft.body['detail'] !== 'The offer pays out another amount.') return;
    draft.body = paid(draft);
  }),
  answers('pays a second question a second time', ['RLP-124'], (draft, context) => {
    const application = String(draft.request['applicationId']);
    if (draft.body['verdict'] !== 'PAID') return;
    const first = context.get(application) ?? draft.request['questionId'];
    context.set(application, first);
    if (first !== draft.request['questionId']) draft.body['utr'] = 'TARA0000000002';
  }),
  answers('asks a penalty of who leaves', ['RLP-151'], penalty),
  takes('goes by its own clock where a borrower leaves', ['RLP-153'], ({ call, body, holds }) => {
    const at = Date.parse(String(body?.['requestedAt']));
    if (call !== 'cooling-off-exits' || !holds || at < Date.now() + DAY_MS) return false;
    return { ...body, requestedAt: new Date(at - 120 * DAY_MS).toISOString() };
  }),
  answers('notes only what it knows', ['RLP-142', 'RLP-143'], (draft, context) => {
    const application = String(draft.request['applicationId']);
    if (draft.call === 'offers') context.set(application, true);
    if (draft.call === 'withdrawals' && !context.has(application)) fail(draft, 404, 'not_found');
  }),
  answers('asks to be asked again at once', ['RLP-170'], (draft) => {
    if (draft.status === 202) draft.body['askAgainAfterSeconds'] = 0;
  }),
];

const CALLBACKS: readonly BrokenLender[] = [
  tells('leaves its callbacks unsigned', ['RLP-175'], (draft) => (draft.isSigned = false)),
  tells('signs its callbacks for another address', ['RLP-176'], (draft) => {
    draft.claims['htu'] = 'https://staging.rinpath.example/lender-api/v1/answers';
  }),
  tells('tells loan events of a form of its own', ['RLP-177'], (draft) => {
    if (draft.call === 'loan-events') delete draft.body['happenedAt'];
  }),
  tells('has a new key each time that it tells', ['RLP-178', 'RLP-182', 'RLP-183'], (draft) => {
    draft.headers['idempotency-key'] = randomUUID();
  }),
  tells('speaks of questions that nobody asked', ['RLP-179'], (draft) => {
    if (draft.call === 'answers') draft.body['questionId'] = 'qst_of_another_service';
  }),
  tells('tells another answer than it gives', ['RLP-180'], (draft) => {
    const answer = draft.body['answer'] as Json | undefined;
    if (answer) answer['detail'] = 'As told.';
  }),
  {
    name: 'tells everything once',
    fails: ['RLP-182', 'RLP-183'],
    change: { takesAsReceipt: () => true },
  },
  {
    name: 'takes any 202 for a receipt',
    fails: ['RLP-183'],
    change: { takesAsReceipt: (status, isSigned) => status === 202 && !isSigned },
  },
  tells('miscounts its payouts', ['RLP-184'], (draft) => {
    if (draft.call === 'statements') draft.body['payoutTotal'] = 1;
  }),
  tells('revises its offers by guess', ['RLP-185'], (draft) => {
    const offer = draft.body['offer'] as Json | undefined;
    if (offer) offer['apr'] = '1.00';
  }),
];

export const BROKEN_LENDERS: readonly BrokenLender[] = [
  ...ANSWER_SIGNATURES,
  ...REQUEST_SIGNATURES,
  ...TRANSPORT,
  ...MEMORY,
  ...OFFERS,
  ...CHOICE,
  ...STEPS,
  ...ENDINGS,
  ...CALLBACKS,
];
