import type { Mutant } from './mutant.ts';

const MOVER = 'src/journeys/domain/journey-mover.ts';
const TABLE = 'src/journeys/domain/transition-table.ts';
const OUTCOMES = ['test/e2e/journeys/outcomes.spec.ts'];
const EVERY_MOVE = ['test/e2e/journeys/every-move.spec.ts'];
const ABANDONMENT = ['test/e2e/journeys/abandonment.spec.ts'];
const ACCOUNTS = ['test/e2e/journeys/bank-accounts.spec.ts'];
const RETURNS = ['test/e2e/journeys/returns.spec.ts', 'test/e2e/journeys/redirects.spec.ts'];
const DEADLINES = ['test/e2e/journeys/offer-deadlines.spec.ts'];
const UNIT_TABLE = ['src/journeys/domain/transition-table.spec.ts'];

/** What moves a journey, what does not, and what is written when it moves. */
export const JOURNEYS: readonly Mutant[] = [
  {
    id: 'refusals-without-an-audit-row',
    rule: 'Every move has its audit row, refusals too',
    file: MOVER,
    find: 'await this.audit.recordMoves(tx, entered, trigger, from);',
    replace:
      "if (!trigger.endsWith('_REFUSED')) await this.audit.recordMoves(tx, entered, trigger, from);",
    specs: EVERY_MOVE,
  },
  {
    id: 'failures-count-on-in-the-next-step',
    rule: 'A step’s failed tries are its own',
    file: MOVER,
    find: '    stepFailures: 0,\n',
    replace: '',
    specs: [...ACCOUNTS, ...OUTCOMES],
  },
  {
    id: 'lead-keeps-its-old-status',
    rule: 'The lead’s status is the journey’s state, from the same transaction on',
    file: MOVER,
    find: 'entered.map(({ partnerId, applicationId: id, state: status }) => ({ partnerId, id, status })),',
    replace:
      'entered.map(({ partnerId, applicationId: id }) => ({ partnerId, id, status: String(from) })),',
    specs: EVERY_MOVE,
  },
  {
    id: 'move-without-its-event',
    rule: 'A move that has an event publishes it in the same transaction',
    file: MOVER,
    find: 'if (event) await this.publishAll(tx, entered, event);',
    replace:
      "if (event && event !== 'journey.rejected') await this.publishAll(tx, entered, event);",
    specs: EVERY_MOVE,
  },
  {
    id: 'sequence-leaves-gaps',
    rule: '`sequence` counts the journey’s events from 1',
    file: MOVER,
    find: 'eventSequence: journey.eventSequence + 1',
    replace: 'eventSequence: journey.eventSequence + 2',
    specs: ['test/e2e/journeys/personal-data.spec.ts'],
  },
  {
    id: 'redirect-url-in-the-event',
    rule: 'An event carries no url of a redirect',
    file: 'src/webhooks/events/published-event.ts',
    find: 'nextAction: { type: nextAction.type, category: nextAction.category },',
    replace: 'nextAction,',
    specs: ['test/e2e/webhooks/publishing.spec.ts'],
  },
  {
    id: 'rejection-of-the-abandoned',
    rule: 'Nothing leaves a terminal state',
    file: TABLE,
    find: '  ...(state.isAbandonedWhenIdle ? [abandonment(state.name)] : []),\n]);',
    replace:
      '  ...(state.isAbandonedWhenIdle ? [abandonment(state.name)] : []),\n' +
      "]).concat({ from: 'SANCTIONED', trigger: 'PAYOUT_REFUSED', to: 'REJECTED' });",
    specs: UNIT_TABLE,
  },
  {
    id: 'disbursement-can-be-abandoned',
    rule: 'A journey whose money is on its way is not abandoned',
    file: 'src/journeys/store/journeys.repository.ts',
    find: "NOT IN ('DISBURSEMENT_PENDING', ",
    replace: 'NOT IN (',
    specs: ABANDONMENT,
    equivalent:
      'The transition table has no such move either, so a claim of one changes nothing but the log: ' +
      'the query only spares the work.',
  },
  {
    id: 'abandoned-after-six-days',
    rule: 'A journey is abandoned after seven days without activity, not before',
    file: 'src/settings/operating-settings.ts',
    find: '  sandbox: {\n    pollIntervalSeconds: 2,\n    lenderDeadlineSeconds: 120,\n    lenderGiveUpSeconds: 1_800,\n    abandonAfterDays: 7',
    replace:
      '  sandbox: {\n    pollIntervalSeconds: 2,\n    lenderDeadlineSeconds: 120,\n    lenderGiveUpSeconds: 1_800,\n    abandonAfterDays: 6',
    specs: ['test/e2e/admin/configuration.spec.ts', 'src/admin/configuration-file.spec.ts'],
  },
  {
    id: 'abandoned-in-the-midst-of-an-action',
    rule: 'A journey with a live lease is not abandoned',
    file: 'src/journeys/store/journeys.repository.ts',
    find: 'AND (j.lease_until IS NULL OR j.lease_until < app_now())\n',
    replace: '\n',
    specs: ABANDONMENT,
  },
  {
    id: 'abandoned-with-an-open-intent',
    rule: 'A journey with an open intent is not abandoned',
    file: 'src/journeys/store/journeys.repository.ts',
    find: "i.journey_id = j.id AND i.status = 'OPEN'",
    replace: "i.journey_id = j.id AND i.status = 'NONE'",
    specs: ABANDONMENT,
  },
  {
    id: 'abandoned-lender-is-not-told',
    rule: 'The chosen lender is told when a journey is abandoned',
    file: 'src/journeys/domain/state-entry.ts',
    find: "await this.withdrawals.tellOver(tx, journey, 'ABANDONED');",
    replace: '',
    specs: ABANDONMENT,
  },
  {
    id: 'actions-are-no-activity',
    rule: 'An action is activity: the seven days begin again',
    file: 'src/journeys/store/intents.repository.ts',
    find: 'CASE WHEN $5 THEN last_activity_at ELSE app_now() END',
    replace: 'CASE WHEN $5 THEN app_now() ELSE last_activity_at END',
    specs: ABANDONMENT,
  },
  {
    id: 'account-refused-after-four-tries',
    rule: 'Three accounts that the bank refuses end the journey',
    file: 'src/journey-steps/bank-account.ts',
    find: 'maxTries: 3,',
    replace: 'maxTries: 4,',
    specs: ACCOUNTS,
  },
  {
    id: 'kyc-tried-for-ever',
    rule: 'A step that failed three times ends the journey',
    file: 'src/journeys/redirects/step-verdict.ts',
    find: "verdict === 'REFUSED' || redirect.attempt >= maxTries",
    replace: "verdict === 'REFUSED'",
    specs: [...OUTCOMES, ...RETURNS],
  },
  {
    id: 'a-return-is-proof',
    rule: 'A return is a signal, never proof: the provider is asked',
    file: 'src/journeys/redirects/redirect-returned.service.ts',
    find: "return { status: 'PENDING', askAgainInMs: error.askAgainInMs };",
    replace: "return { status: 'ANSWERED', answerId: redirect.id, answer: { kind: 'PASSED' } };",
    specs: RETURNS,
  },
  {
    id: 'verdict-about-another-journey',
    rule: 'A verdict about another journey’s redirect moves nothing',
    file: 'src/journeys/redirects/step-verdict.ts',
    find: '!redirect || redirect.journeyId !== journey.id',
    replace: '!redirect',
    specs: ['test/e2e/journeys/late-answers.spec.ts'],
  },
  {
    id: 'second-return-is-fine',
    rule: 'A passed step that was returned from before is 409',
    file: 'src/journeys/redirects/redirect-returned.service.ts',
    find: "if (redirect.returnedAt !== null) throw new Fault('return_already_seen');",
    replace: '',
    specs: RETURNS,
  },
  {
    id: 'expired-offers-can-be-chosen',
    rule: 'An offer past its validUntil is 409',
    file: 'src/journeys/use-cases/select-offer.handler.ts',
    find: "if (this.hasRunOut(offer)) throw new Fault('offer_expired');",
    replace: '',
    specs: [
      'test/e2e/journeys/selecting-offers.spec.ts',
      'test/e2e/journeys/offer-deadlines.spec.ts',
    ],
  },
  {
    id: 'offers-that-ran-out-while-quoting',
    rule: 'An offer that runs out while its lender quotes is 409',
    file: 'src/journeys/use-cases/select-offer.handler.ts',
    find: "if (quoted === 'GONE' || this.hasRunOut(offer)) return",
    replace: "if (quoted === 'GONE') return",
    specs: [
      'test/e2e/journeys/selecting-offers.spec.ts',
      'test/e2e/journeys/offer-deadlines.spec.ts',
    ],
  },
  {
    id: 'offers-of-an-earlier-round',
    rule: 'Only the offers of the round in force can be chosen',
    file: 'src/journeys/store/offers.repository.ts',
    find: 'WHERE id = $1 AND journey_id = $2 AND partner_id = $3 AND round = $4`',
    replace: 'WHERE id = $1 AND journey_id = $2 AND partner_id = $3 AND round <= $4`',
    specs: DEADLINES,
  },
  {
    id: 'deadline-without-offers-rejects',
    rule: 'At the lender deadline without an offer the journey waits for the long deadline',
    file: 'src/journeys/offers/offer-round.ts',
    find: "return round.isPastDeadline ? 'PAST_DEADLINE' : 'WAITING';",
    replace: "return round.isPastDeadline ? 'DECLINED' : 'WAITING';",
    specs: DEADLINES,
  },
  {
    id: 'first-offer-moves-the-journey',
    rule: 'A journey moves on when all lenders have answered, or at the deadline',
    file: 'src/journeys/offers/offer-round.ts',
    find: 'round.offers && (isNobodyAwaited || round.isPastDeadline)',
    replace: 'round.offers',
    specs: [...DEADLINES, 'test/e2e/journeys/answers-together.spec.ts'],
  },
  {
    id: 'unreachable-lender-is-waited-for',
    rule: 'A journey with an offer does not wait for a lender that is left alone',
    file: 'src/journeys/offers/offer-round.ts',
    find: 'open.every(({ isUnreachable }) => isUnreachable)',
    replace: 'open.length === 0',
    specs: ['test/e2e/hosted-steps/offers.spec.ts'],
  },
  {
    id: 'unreachable-lenders-end-the-round',
    rule: 'Without an offer a journey waits for lenders that are left alone',
    file: 'src/journeys/offers/offer-round.ts',
    find: "if (open.length === 0) return 'DECLINED';",
    replace: "if (isNobodyAwaited) return 'DECLINED';",
    specs: DEADLINES,
  },
  {
    id: 'own-cooling-off-is-not-heeded',
    rule: 'What a lender states with its offer counts, not what is configured',
    file: 'src/lenders/offer-terms.ts',
    find: 'offer.coolingOffDays ?? product.coolingOffDays',
    replace: 'product.coolingOffDays',
    specs: ['test/e2e/journeys/lenders-own-terms.spec.ts'],
  },
  {
    id: 'quote-with-other-terms',
    rule: 'A quote has the terms of the offer',
    file: 'src/journeys/offers/offer-quotes.ts',
    find: '    areTermsKept(offer, quoted) &&\n',
    replace: '    (areTermsKept(offer, quoted) || true) &&\n',
    specs: ['test/e2e/journeys/lenders-own-terms.spec.ts'],
  },
  {
    id: 'signature-of-any-statement',
    rule: 'A lender’s signature is of the statement that was chosen',
    file: 'src/lender-api/signing/key-facts-signature.ts',
    find: '=== hash) return;',
    replace: "!== '' || hash) return;",
    specs: ['src/lender-api/signing/key-facts-signature.spec.ts'],
  },
  {
    id: 'branch-of-another-lender',
    rule: 'The branch is one of the selected offer’s',
    file: 'src/journeys/use-cases/select-branch.handler.ts',
    find: 'offer.terms.branches.find(({ id }) => id === payload.branchLocationId)',
    replace: 'offer.terms.branches.at(0)',
    specs: ['test/e2e/journeys/branches.spec.ts'],
  },
  {
    id: 'hosted-journeys-show-every-step',
    rule: 'The partner of a hosted journey sees WAITING_FOR_REDIRECT until it is over',
    file: 'src/journeys/domain/next-action.ts',
    find: "position.channel === 'API_HOSTED' && first.category !== 'DONE'",
    replace: "position.channel === 'API_HOSTED' && position.state === 'INITIATED'",
    specs: ['src/journeys/domain/next-action.spec.ts', 'test/e2e/journeys/hosted.spec.ts'],
  },
  {
    id: 'poll-interval-always-two',
    rule: '`pollIntervalSeconds` is the configured one',
    file: 'src/journeys/use-cases/read-journey.service.ts',
    find: '(await this.settings.operating()).pollIntervalSeconds',
    replace: '2',
    specs: ['test/e2e/admin/file-in-force.spec.ts'],
  },
  {
    id: 'applicant-of-seventeen',
    rule: 'The applicant is 18 or older',
    file: 'src/applicants/age.ts',
    find: 'MIN_AGE = 18',
    replace: 'MIN_AGE = 17',
    specs: ['src/journeys/api/coming-of-age.spec.ts'],
  },
  {
    id: 'product-of-another-key',
    rule: 'A product that is not assigned to the key is 403',
    file: 'src/journeys/use-cases/initiate-journey.service.ts',
    find: 'if (!key.products.has(request.productCode)) throw',
    replace: 'if (key.products.size === 0) throw',
    specs: ['test/e2e/auth/scopes.spec.ts'],
  },
];
