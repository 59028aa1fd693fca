import type { Mutant } from './mutant.ts';

const CODES = ['test/e2e/hosted-entry/codes.spec.ts'];
const GUESSED = ['test/e2e/hosted-entry/guessed-codes.spec.ts'];
const NUMBER = ['test/e2e/hosted-entry/number-of-codes.spec.ts'];
const LINKS = ['test/e2e/hosted-entry/links.spec.ts'];
const RECORDS = ['test/e2e/hosted-entry/records.spec.ts'];
const WAY_IN = ['test/e2e/hosted-entry/way-in.spec.ts'];
const STEPS = ['test/e2e/hosted-steps/steps.spec.ts'];
const BRANCHES = ['src/applicant-web/steps/bank-branch.spec.ts'];
const BRANCH = 'src/applicant-web/steps/bank-branch.ts';
const SESSIONS = 'src/journeys/store/hosted-sessions.repository.ts';
const LIMITS = 'src/journeys/access/hosted-limits.ts';
const ONE_TIME = 'src/journeys/store/one-time-codes.repository.ts';
const LINK_STORE = 'src/journeys/store/hosted-links.repository.ts';

/** The applicant’s way in, and what the applicant agrees to. */
export const HOSTED: readonly Mutant[] = [
  {
    id: 'codes-a-day-without-a-limit',
    rule: 'A journey gets twelve codes a day',
    file: LIMITS,
    find: 'CODES_OF_JOURNEY_A_DAY: { most: 12,',
    replace: 'CODES_OF_JOURNEY_A_DAY: { most: 1_200,',
    specs: NUMBER,
    only: 'is twelve a day',
  },
  {
    id: 'four-sends-of-a-code',
    rule: 'A code is sent three times, then there is a pause',
    file: LIMITS,
    find: 'CODES_OF_JOURNEY: { most: 3,',
    replace: 'CODES_OF_JOURNEY: { most: 4,',
    specs: NUMBER,
  },
  {
    id: 'links-an-hour-without-a-limit',
    rule: 'A journey gets three fresh links an hour',
    file: LIMITS,
    find: 'LINKS_OF_JOURNEY: { most: 3,',
    replace: 'LINKS_OF_JOURNEY: { most: 300,',
    specs: LINKS,
  },
  {
    id: 'limits-end-with-every-try',
    rule: 'A limit counts all that its time has seen',
    file: 'src/journeys/store/hosted-limits.repository.ts',
    find: 'ELSE least(l.count, $4) + 1 END',
    replace: 'ELSE least(l.count, 1) + 1 END',
    specs: [...NUMBER, ...LINKS],
  },
  {
    id: 'six-tries-of-a-code',
    rule: 'A code is void after five wrong tries',
    file: ONE_TIME,
    find: 'const MAX_TRIES = 5;',
    replace: 'const MAX_TRIES = 6;',
    specs: CODES,
  },
  {
    id: 'codes-valid-for-an-hour',
    rule: 'A code runs out after five minutes',
    file: ONE_TIME,
    find: 'CODE_VALID_SECONDS = 300',
    replace: 'CODE_VALID_SECONDS = 3_600',
    specs: CODES,
  },
  {
    id: 'code-works-twice',
    rule: 'A code that was right is used up',
    file: ONE_TIME,
    find: 'WHERE id = (${NEWEST}) AND used_at IS NULL AND expires_at',
    replace: 'WHERE id = (${NEWEST}) AND expires_at',
    specs: CODES,
    equivalent:
      'A used code belongs to a session that is signed in already, and is asked for none: whoever still has the token of before goes by the second press, which looks at the use.',
  },
  {
    id: 'code-of-another-session',
    rule: 'A code opens the session that it was sent for, and no other',
    file: ONE_TIME,
    find: 'WHERE journey_id = $1 AND session_id = $2\n',
    replace: 'WHERE journey_id = $1 AND $2 <> $1\n',
    specs: CODES,
  },
  {
    id: 'right-codes-count-against-the-address',
    rule: 'Right codes do not count against their client address',
    file: 'src/journeys/access/code-sign-in.ts',
    find: "await this.limits.giveBack(tx, 'TRIES_OF_ADDRESS', clientAddress);",
    replace: '',
    specs: GUESSED,
  },
  {
    id: 'link-opens-more-than-one-session',
    rule: 'A link is used up by its button, once among all who press it',
    file: LINK_STORE,
    find: 'token_hash = $1 AND used_at IS NULL AND expires_at',
    replace: 'token_hash = $1 AND expires_at',
    specs: LINKS,
  },
  {
    id: 'links-without-an-end',
    rule: 'A link is valid for 72 hours',
    file: LINK_STORE,
    find: 'VALID_HOURS = 72',
    replace: 'VALID_HOURS = 7_200',
    specs: LINKS,
  },
  {
    id: 'session-without-a-code',
    rule: 'Before the code a session shows nothing of the journey',
    file: SESSIONS,
    find: 'verified_at IS NOT NULL AS "isVerified"',
    replace: 'created_at IS NOT NULL AS "isVerified"',
    specs: LINKS,
  },
  {
    id: 'idle-sessions-stay-open',
    rule: 'A session ends after half an hour without use',
    file: SESSIONS,
    find: 'IDLE_MINUTES = 30',
    replace: 'IDLE_MINUTES = 3_000',
    specs: LINKS,
  },
  {
    id: 'sessions-of-a-week',
    rule: 'A session ends after half a day',
    file: SESSIONS,
    find: 'const VALID_HOURS = 12;',
    replace: 'const VALID_HOURS = 168;',
    specs: LINKS,
  },
  {
    id: 'sign-in-keeps-its-token',
    rule: 'At the sign-in the session gets another token, and the one of before is worth nothing',
    file: SESSIONS,
    find: 'SET token_hash = $2, last_seen_at = app_now(),\n         previous_token_hash',
    replace:
      'SET token_hash = coalesce(token_hash, $2), last_seen_at = app_now(),\n         previous_token_hash',
    specs: [...LINKS, ...CODES],
  },
  {
    id: 'two-phones-signed-in',
    rule: 'A sign-in ends the journey’s other sessions',
    file: SESSIONS,
    find: 'WHERE journey_id = $1 AND id <> $2 AND verified_at IS NOT NULL AND ended_at IS NULL',
    replace: 'WHERE journey_id = $1 AND id = $2 AND verified_at IS NULL AND ended_at IS NULL',
    specs: LINKS,
  },
  {
    id: 'lenders-asked-without-consent',
    rule: 'No lender is asked before the applicant has consented',
    file: 'src/journeys/applicant/hosted-confirmation.service.ts',
    find: '!consent || !file || missingDetails',
    replace: '!file || missingDetails',
    specs: RECORDS,
  },
  {
    id: 'consent-to-another-text',
    rule: 'A consent is to the text that was shown',
    file: 'src/journeys/applicant/hosted-confirmation.service.ts',
    find: 'if (consentDigest(text) !== shown) return false;',
    replace: '',
    specs: RECORDS,
  },
  {
    id: 'consent-to-an-older-version',
    rule: 'A consent to an older version of the text is none',
    file: 'src/journeys/store/consents.repository.ts',
    find: 'journey_id = $1 AND partner_id = $2 AND text_version = $3`',
    replace: 'journey_id = $1 AND partner_id = $2 AND $3 IS NOT NULL`',
    specs: RECORDS,
  },
  {
    id: 'confirmation-of-other-details',
    rule: 'A confirmation is of the details that were shown',
    file: 'src/journeys/applicant/hosted-confirmation.service.ts',
    find: "if (!this.reader.isDetailsHash(journey, file, shown)) return 'DETAILS_CHANGED';",
    replace: '',
    specs: WAY_IN,
  },
  {
    id: 'lender-that-the-consent-does-not-name',
    rule: 'No lender is told what the consent does not name it for',
    file: 'src/consents/consent-texts.ts',
    find: 'agreedTo.includes(before + lenderName + after)',
    replace: 'agreedTo.includes(before) || agreedTo.includes(lenderName + after)',
    specs: [...RECORDS, 'src/consents/consent-texts.spec.ts'],
  },
  {
    id: 'another-statement-is-frozen',
    rule: 'Nobody is bound by a statement other than the one that was shown',
    file: 'src/journeys/use-cases/select-offer.handler.ts',
    find: '!draft || (shown && draft.contentHash !== shown.hash)',
    replace: '!draft',
    specs: [...RECORDS, 'test/e2e/hosted-steps/offer-confirmation.spec.ts'],
  },
  {
    id: 'forms-without-a-token',
    rule: 'A form without its token is refused and changes nothing',
    file: 'src/platform/screens/csrf.guard.ts',
    find: 'isForeign || !this.tokens.isValid(request, token)',
    replace: 'isForeign',
    specs: WAY_IN,
  },
  {
    id: 'account-whose-bank-was-not-seen',
    rule: 'Nobody goes on before having seen the bank of the IFSC',
    file: 'src/applicant-web/steps/bank-account.controller.ts',
    find: 'if (ifscShown !== form.value.ifscCode) {',
    replace: 'if (!ifscShown) {',
    specs: STEPS,
    only: 'is taken once the bank',
  },
  {
    id: 'branch-of-any-file',
    rule: 'Only an IFSC names a file of branches',
    file: BRANCH,
    find: "if (!IFSC.test(ifsc)) throw new RangeError('not an IFSC');",
    replace: '',
    specs: BRANCHES,
  },
  {
    id: 'branch-of-the-bank-whose-letters-it-has',
    rule: 'A branch that another bank uses has that bank’s name',
    file: BRANCH,
    find: 'bank: owner || bank,',
    replace: 'bank,',
    specs: BRANCHES,
  },
];
