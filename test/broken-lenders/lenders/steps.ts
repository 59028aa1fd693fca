import type { Json } from '../middleman.ts';
import { answers, type BrokenLender, fail } from './broken-lender.ts';

const DAY_MS = 86_400_000;

export const STEPS: readonly BrokenLender[] = [
  answers('opens sessions that have expired', ['RLP-091'], (draft) => {
    if (draft.body['verdict'] === 'OPENED' && draft.call === 'sessions') {
      const end = Date.parse(String(draft.body['expiresAt']));
      draft.body['expiresAt'] = new Date(end - DAY_MS).toISOString();
    }
  }),
  {
    name: 'passes steps that no applicant visited',
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
