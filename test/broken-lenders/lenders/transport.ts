import { randomUUID } from 'node:crypto';
import type { Draft, Json } from '../middleman.ts';
import { answers, type BrokenLender, fail, verdicts } from './broken-lender.ts';

export const TRANSPORT: readonly BrokenLender[] = [
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

export const MEMORY: readonly BrokenLender[] = [
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
    'decides a choice again each time',
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
