import { randomUUID } from 'node:crypto';
import type { Json } from '../middleman.ts';
import { type BrokenLender, tells } from './broken-lender.ts';

export const CALLBACKS: readonly BrokenLender[] = [
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
  tells('speaks of questions that Rinpath did not ask', ['RLP-179'], (draft) => {
    if (draft.call === 'answers') draft.body['questionId'] = 'qst_of_another_service';
  }),
  tells('tells another answer than it gives', ['RLP-180'], (draft) => {
    const answer = draft.body['answer'] as Json | undefined;
    if (answer) answer['detail'] = 'As sent.';
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
