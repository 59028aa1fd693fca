import type { Draft, Json } from '../middleman.ts';
import { answers, type BrokenLender, fail, takes } from './broken-lender.ts';

const DAY_MS = 86_400_000;

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

function payWithdrawn(
  draft: Draft,
  context: Map<string, unknown>,
  isIgnored: (reason: unknown) => boolean,
): void {
  const application = String(draft.request['applicationId']);
  if (draft.call === 'withdrawals') context.set(application, draft.request['reason']);
  const isRefused = draft.body['reason'] === 'CANCELLED_BY_BORROWER';
  if (!isRefused || !isIgnored(context.get(application))) return;
  const key = String(draft.request['questionId']);
  draft.body = (context.get(key) as Json | undefined) ?? paid(draft);
  context.set(key, draft.body);
}

function sanction(draft: Draft, detail: string): void {
  const { answerId } = draft.body;
  if (draft.call !== 'decisions' || draft.body['detail'] !== detail) return;
  draft.body = { answerId, verdict: 'SANCTIONED', loanReference: 'loan-1' };
}

function penalty(draft: Draft): void {
  if (draft.call !== 'cooling-off-exits' || draft.body['verdict'] !== 'OPENED') return;
  draft.body['amount'] = Math.round(Number(draft.body['amount']) * 1.05);
}

export const ENDINGS: readonly BrokenLender[] = [
  answers('pays out before the agreement is signed', ['RLP-121'], (draft) => {
    if (draft.body['detail'] !== 'The agreement is not signed.') return;
    draft.body = paid(draft);
  }),
  answers('pays out any amount that is requested', ['RLP-126'], (draft) => {
    if (draft.body['detail'] !== 'The offer pays out another amount.') return;
    draft.body = paid(draft);
  }),
  answers('pays to no account', ['RLP-115'], (draft) => {
    if (draft.body['detail'] !== 'There is no account to pay to.') return;
    draft.body = paid(draft);
  }),
  answers('pays out what was withdrawn', ['RLP-128'], (draft, context) =>
    payWithdrawn(draft, context, (reason) => reason !== 'NOT_CHOSEN'),
  ),
  answers('pays out what was not chosen', ['RLP-129'], (draft, context) =>
    payWithdrawn(draft, context, (reason) => reason === 'NOT_CHOSEN'),
  ),
  answers('pays a second question a second time', ['RLP-124'], (draft, context) => {
    const application = String(draft.request['applicationId']);
    if (draft.body['verdict'] !== 'PAID') return;
    const first = context.get(application) ?? draft.request['questionId'];
    context.set(application, first);
    if (first !== draft.request['questionId']) draft.body['utr'] = 'TARA0000000002';
  }),
  answers('sanctions what it never offered', ['RLP-136'], (draft) =>
    sanction(draft, 'This offer was not made for this loan.'),
  ),
  answers('sanctions what was withdrawn', ['RLP-137'], (draft) =>
    sanction(draft, 'The offer was withdrawn.'),
  ),
  answers('lends on each decision', ['RLP-138'], (draft, context) => {
    const application = String(draft.request['applicationId']);
    if (draft.body['verdict'] !== 'SANCTIONED') return;
    const first = context.get(application) ?? draft.request['questionId'];
    context.set(application, first);
    if (first !== draft.request['questionId']) draft.body['loanReference'] = 'loan-2';
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
