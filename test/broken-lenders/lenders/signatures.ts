import { randomUUID } from 'node:crypto';
import type { Incoming } from '../middleman.ts';
import { answers, type BrokenLender, fail, takes, verdicts } from './broken-lender.ts';

const AN_HOUR_S = 3_600;
const FIVE_SECONDS_MS = 5_000;
const OWN_OFFERS = /^http:\/\/127\.0\.0\.1:\d+\/\w+\/offers$/;

const isNow = ({ claims }: Incoming) =>
  Math.abs(Number(claims?.['iat']) - Date.now() / 1000) < AN_HOUR_S / 2;

export const ANSWER_SIGNATURES: readonly BrokenLender[] = [
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

export const REQUEST_SIGNATURES: readonly BrokenLender[] = [
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
  takes(
    'takes a jti as often as it comes',
    ['RLP-034', 'RLP-040'],
    ({ holds, claims, headers, ...rest }) => {
      const htu = String(claims?.['htu']);
      const isHere = OWN_OFFERS.test(htu) && claims?.['htm'] === rest.method;
      const isRight = headers['rlp-version'] === '1' && rest.call === 'offers';
      return holds && isHere && isRight && isNow({ holds, claims, headers, ...rest });
    },
  ),
  takes('remembers a jti for five seconds', ['RLP-040'], ({ claims, holds, ...rest }, context) => {
    const jti = String(claims?.['jti']);
    const firstAt = context.get(jti);
    if (!holds || !isNow({ claims, holds, ...rest })) return false;
    if (firstAt === undefined) context.set(jti, Date.now());
    return typeof firstAt === 'number' && Date.now() - firstAt > FIVE_SECONDS_MS;
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
