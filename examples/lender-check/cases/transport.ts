import { casesOf } from '../case.ts';
import type { Checks } from '../checks.ts';
import type { Kit } from '../loan/kit.ts';
import { CALL_SECONDS, describe, errorCode, type Exchange } from '../wire/lender-client.ts';

const MAX_BYTES = 256 * 1024;

/** Sends a malformed question, which must be refused. */
async function refused(
  check: Checks,
  what: string,
  status: number,
  asking: Promise<Exchange>,
): Promise<void> {
  const exchange = await asking;
  check.that(exchange.status === status, `${status} to ${what}`, describe(exchange));
}

function offers(kit: Kit, more = {}) {
  return kit.story('transport').offersQuestion(more);
}

function withBytes(kit: Kit, bytes: Buffer) {
  return { ...offers(kit), bytes };
}

function answers({ client }: Kit): readonly Exchange[] {
  return client.exchanges.filter(({ status }) => status === 200 || status === 202);
}

export const TRANSPORT = casesOf('Transport and errors', [
  {
    id: 'RLP-001',
    title: 'The ping is understood',
    rule: 'GET /loans/rinpath-ping gets 200 NOT_FOUND: both sides understand each other.',
    run: async (kit, check) => {
      const exchange = await kit.loan('rinpath-ping');
      check.that(exchange.status === 200, '200', describe(exchange));
      check.equal('verdict', (exchange.json as { verdict?: string })?.verdict, 'NOT_FOUND');
    },
  },
  {
    id: 'RLP-002',
    title: 'The lender’s keys are public keys',
    rule: 'A JWKS of Ed25519 or P-256 public keys, each with its own kid.',
    run: async (kit, check) => {
      const keys = await kit.parts.lenderKeys.read();
      check.that(keys.length > 0, 'at least one key', `${keys.length} keys`);
      const isKnown = (crv: unknown) => crv === 'Ed25519' || crv === 'P-256';
      check.each('Ed25519 or P-256', keys, ({ crv }) => (isKnown(crv) ? null : String(crv)));
      check.each('no private part', keys, ({ d, kid }) =>
        d ? `${kid} has its private part` : null,
      );
      const kids = new Set(keys.map(({ kid }) => kid));
      check.that(kids.size === keys.length && !kids.has(undefined), 'a kid each', [...kids].join());
    },
  },
  {
    id: 'RLP-003',
    title: 'Answers are JSON of at most 256 KB',
    rule: 'JSON in UTF-8 with its content type, bodies up to 256 KB.',
    phase: 'LAST',
    run: async (kit, check) => {
      await kit.loan('rinpath-ping');
      check.each('JSON', answers(kit), (one) => (one.json === undefined ? describe(one) : null));
      check.each('content-type: application/json', answers(kit), ({ headers }) => {
        const type = headers.get('content-type') ?? 'none';
        return /^application\/json\s*(;|$)/i.test(type) ? null : type;
      });
      check.each('at most 256 KB', answers(kit), ({ body, name }) =>
        body.length > MAX_BYTES ? `${name}: ${body.length} bytes` : null,
      );
    },
  },
  {
    id: 'RLP-004',
    title: 'Answers arrive within 10 seconds',
    rule: 'A call takes at most 10 s, body included. Answer 202 if you need longer.',
    phase: 'LAST',
    run: async (kit, check) => {
      await kit.loan('rinpath-ping');
      const { exchanges } = kit.client;
      check.each(`within ${CALL_SECONDS} s`, exchanges, ({ name, seconds, status, failure }) => {
        if (seconds > CALL_SECONDS) return `${name}: ${seconds.toFixed(1)} s`;
        return status === 0 ? `${name}: no answer (${failure})` : null;
      });
    },
  },
  {
    id: 'RLP-005',
    title: 'A body that is not JSON is refused',
    rule: '400: the body does not match the document. It gets no verdict.',
    run: async (kit, check) => {
      await refused(
        check,
        'half a body',
        400,
        kit.ask(withBytes(kit, Buffer.from('{"questionId":'))),
      );
      await refused(check, 'a list', 400, kit.ask(withBytes(kit, Buffer.from('[]'))));
    },
  },
  {
    id: 'RLP-006',
    title: 'A question without a required field is refused',
    rule: '400: the body does not match the document. It gets no verdict.',
    run: async (kit, check) => {
      const noAmount = offers(kit, { loanAmount: undefined });
      await refused(check, 'offers without an amount', 400, kit.ask(noAmount));
      const noApplicant = offers(kit, { applicant: undefined });
      await refused(check, 'offers without an applicant', 400, kit.ask(noApplicant));
    },
  },
  {
    id: 'RLP-007',
    title: 'An invalid amount is refused',
    rule: 'Amounts are integer paise above zero.',
    run: async (kit, check) => {
      for (const loanAmount of ['20000000', 20_000_000.5, -1, 0]) {
        const what = `an amount of ${JSON.stringify(loanAmount)}`;
        await refused(check, what, 400, kit.ask(offers(kit, { loanAmount })));
      }
    },
  },
  {
    id: 'RLP-008',
    title: 'Unknown fields are ignored',
    rule: 'Later versions add fields.',
    run: async (kit, check) => {
      const exchange = await kit.ask(offers(kit, { addedLater: { by: ['version', 2] } }));
      check.that([200, 202].includes(exchange.status), '200 or 202', describe(exchange));
    },
  },
  {
    id: 'RLP-009',
    title: 'An unknown word is read as OTHER',
    rule: 'Unknown words are treated as OTHER where the list has it.',
    run: async (kit, check) => {
      const { applicant } = kit.profile;
      const question = offers(kit, { applicant: { ...applicant, gender: 'ADDED_LATER' } });
      const exchange = await kit.ask(question);
      check.that([200, 202].includes(exchange.status), '200 or 202', describe(exchange));
    },
  },
  {
    id: 'RLP-010',
    title: 'Another version is refused',
    rule: '400 version_not_supported for an unsupported RLP-Version.',
    run: async (kit, check) => {
      const exchange = await kit.ask(offers(kit), { headers: { 'rlp-version': '9' } });
      check.that(exchange.status === 400, '400', describe(exchange));
      check.equal('error code', errorCode(exchange), 'version_not_supported');
    },
  },
  {
    id: 'RLP-011',
    title: 'A body above 256 KB is refused',
    rule: 'Bodies up to 256 KB; 413 above.',
    run: async (kit, check) => {
      const { bytes } = offers(kit);
      const large = Buffer.concat([bytes, Buffer.alloc(MAX_BYTES + 1024 - bytes.length, ' ')]);
      const exchange = await kit.ask(withBytes(kit, large));
      // A lender that stops reading may cut the connection before its answer arrives.
      const isRefused = exchange.status === 413 || exchange.status === 0;
      check.that(isRefused, '413, or the connection is cut', describe(exchange));
      kit.client.exchanges.splice(kit.client.exchanges.indexOf(exchange), 1);
    },
  },
  {
    id: 'RLP-012',
    title: 'A body of 200 KB is accepted',
    rule: 'Bodies up to 256 KB.',
    run: async (kit, check) => {
      const question = offers(kit);
      const bytes = Buffer.concat([question.bytes, Buffer.alloc(200 * 1024, ' ')]);
      const exchange = await kit.ask({ ...question, bytes });
      check.that([200, 202].includes(exchange.status), '200 or 202', describe(exchange));
    },
  },
  {
    id: 'RLP-013',
    title: 'Another content type is refused',
    rule: '415: the body is not application/json.',
    run: async (kit, check) => {
      const headers = { 'content-type': 'text/plain' };
      await refused(check, 'text/plain', 415, kit.ask(offers(kit), { headers }));
    },
  },
  {
    id: 'RLP-014',
    title: 'An unknown address gets 404',
    rule: '404: the address is unknown.',
    run: async (kit, check) => {
      const question = offers(kit);
      await refused(
        check,
        '/no-such-question',
        404,
        kit.ask(question, { path: '/no-such-question' }),
      );
    },
  },
  {
    id: 'RLP-015',
    title: 'The key is the question’s id',
    rule: 'Idempotency-Key is the body’s questionId; else 400.',
    run: async (kit, check) => {
      const other = kit.ask(offers(kit), { headers: { 'idempotency-key': 'qst_another' } });
      await refused(check, 'another key than the questionId', 400, other);
      const none = kit.ask(offers(kit), { headers: { 'idempotency-key': null } });
      await refused(check, 'no key', 400, none);
    },
  },
  {
    id: 'RLP-016',
    title: 'Errors have the protocol’s form',
    rule: 'Errors have {"error": {"code", "message"}}; a business refusal is a verdict, never an error.',
    phase: 'LAST',
    run: async (kit, check) => {
      await kit.ask(offers(kit), { headers: { 'rlp-version': '9' } });
      const errors = kit.client.exchanges.filter(({ status }) => status >= 400);
      check.each('ErrorBody', errors, (one) => {
        const problem = kit.parts.messages.problem('ErrorBody', one.json);
        return problem && `${problem}: ${describe(one)}`;
      });
    },
  },
  {
    id: 'RLP-017',
    title: 'No answer repeats personal data',
    rule: 'Errors and details contain no PAN, mobile number or account number.',
    phase: 'LAST',
    run: async (kit, check) => {
      await kit.ask(offers(kit, { loanAmount: 'none' }));
      const { applicant, accounts } = kit.profile;
      const secrets = [applicant.pan, applicant.mobile, accounts.accepted.number];
      check.each('no PAN, mobile or account number', kit.client.exchanges, (one) => {
        const text = one.body.toString('utf8');
        const found = secrets.some((secret) => text.includes(secret));
        return found ? `${one.name} ${one.status} repeats personal data` : null;
      });
    },
  },
]);
