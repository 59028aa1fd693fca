import type { Draft, Json } from '../middleman.ts';
import { answers, type BrokenLender, fail, type Offer } from './broken-lender.ts';

export const CHOICE: readonly BrokenLender[] = [
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
